import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { asOwner } from '#test/support/database.ts'
import { applyRetention } from '../messages/erasure/jobs.ts'
import { eraseOldGenerations } from './jobs.ts'

let scene: AiScene

const secret = 'Marigold Lane'

beforeAll(async () => {
  scene = await openAiScene([
    { match: '', say: { action: 'reply', text: `You asked about ${secret}. Which day?` } },
  ])
})
afterAll(() => scene[Symbol.asyncDispose]())

/** The tables with rows of the contact that still contain what the AI wrote. */
async function traces(contactId: string): Promise<string[]> {
  const found: string[] = []
  for (const [table, column] of [
    ['generations', 'contact_id'],
    ['messages', 'contact_id'],
    ['conversations', 'contact_id'],
    ['events', 'timeline_id'],
  ] as const) {
    const rows = await asOwner(
      scene.app.databaseUrl,
      `select 1 from ${table} t where ${column} = $1 and t::text like '%' || $2 || '%'`,
      [contactId, secret],
    )
    if (rows.length > 0) found.push(table)
  }
  return found
}

// The generation's stored material contains what the contact wrote.
test.each([
  ['auto', ['generations', 'messages']],
  ['approve', ['generations', 'messages']],
  ['suggest', ['generations', 'messages', 'conversations']],
])('erasing a contact removes what the AI wrote in mode %s', async (mode, kept) => {
  const { agent } = scene.texting
  const { id: personaId } = await scene.persona({ mode })
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, `Is ${secret} still for sale?`)
  await scene.respond()
  expect(await traces(id)).toEqual(kept)
  expect((await agent.delete(`/contacts/${id}`)).status).toBe(200)
  expect(await traces(id)).toEqual([])
  const messages = (await agent.get(`/messages?contact_id=${id}`)).body.data as { status: string }[]
  expect(messages.filter(({ status }) => ['pending_approval', 'queued'].includes(status))).toEqual([])
  await agent.patch(`/personas/${String(personaId)}`, { mode: 'off' })
})

test('retention erases old generations', async () => {
  const { agent } = scene.texting
  const { id: personaId } = await scene.persona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, `Is ${secret} still for sale?`)
  await scene.respond()
  await agent.patch('/compliance-settings', { retention_days: 30 })
  await eraseOldGenerations.handle(scene.app.runtime)
  expect(await traces(id)).toContain('generations')
  scene.app.clock.advance(31 * 24 * 3_600_000)
  await eraseOldGenerations.handle(scene.app.runtime)
  expect(await traces(id)).not.toContain('generations')
  await agent.patch(`/personas/${String(personaId)}`, { mode: 'off' })
})

test('retention erases old suggestions', async () => {
  const { agent } = scene.texting
  const { id: personaId } = await scene.persona({ mode: 'suggest' })
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, `Is ${secret} still for sale?`)
  await scene.respond()
  await agent.patch('/compliance-settings', { retention_days: 30 })
  const days = (count: number) => count * 24 * 3_600_000
  scene.app.clock.advance(days(29))
  await applyRetention.handle(scene.app.runtime)
  expect(await traces(id)).toContain('conversations')
  scene.app.clock.advance(days(2))
  await applyRetention.handle(scene.app.runtime)
  expect(await traces(id)).not.toContain('conversations')
  await agent.patch(`/personas/${String(personaId)}`, { mode: 'off' })
})

test('phone numbers in a persona’s texts are masked without contacts:read:pii', async () => {
  const { workspace, agent } = scene.texting
  const few = await workspace.credential('messages:read', 'automations:read')
  const said = 'Call the office at +1 312 555 0188.'
  const { id } = (
    await agent.post('/personas', {
      name: 'Alder',
      disclosure: said,
      knowledge: said,
      handoff: { message: said },
    })
  ).body
  expect(JSON.stringify((await few.get(`/personas/${id}`)).body)).not.toContain('555 0188')
  expect(JSON.stringify((await agent.get(`/personas/${id}`)).body)).toContain('555 0188')
})
