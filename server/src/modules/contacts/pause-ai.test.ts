import { expect, test } from 'vitest'
import { agent, app, openScene } from '#test/scenes/workspace.ts'
import { eventsNamed } from '#test/support/journal.ts'

openScene()

const phone = '+13125550123'

async function couple() {
  const ids: string[] = []
  for (const first_name of ['Ada', 'Sam'])
    ids.push((await agent.post('/contacts', { first_name, phone })).body['id'])
  return ids
}

const states = async (ids: readonly string[]) => {
  const all = await Promise.all(ids.map((id) => agent.get(`/contacts/${id}`)))
  return all.map(({ body }) => [body['ai_auto_response'], body['ai_paused_reason']])
}

test('a note pauses the AI for every contact with the number, and resuming applies to all of them', async () => {
  const ids = await couple()
  const [ada] = ids
  await agent.post(`/contacts/${ada}/notes`, { body: 'I call them.' })
  expect(await states(ids)).toEqual([
    ['paused', 'note'],
    ['paused', 'note'],
  ])
  const resumed = await agent.post(`/contacts/${ids[1]}/ai`, { status: 'active' })
  expect(resumed).toMatchObject({ status: 200, body: { ai_auto_response: 'active', ai_paused_reason: null } })
  expect(await states(ids)).toEqual([
    ['active', null],
    ['active', null],
  ])
  await agent.post(`/contacts/${ada}/ai`, { status: 'paused' })
  expect(await states(ids)).toEqual([
    ['paused', 'manual'],
    ['paused', 'manual'],
  ])
  const changed = await eventsNamed(app.databaseUrl, agent.workspace?.id ?? '', 'contact.updated')
  expect(changed).toHaveLength(2)
})
