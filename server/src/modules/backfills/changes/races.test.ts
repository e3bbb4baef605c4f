import { expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  historyOf,
  leave,
  openAutomations,
  post,
  send,
  tagStep,
  tick,
} from '#test/scenes/automations.ts'
import { asOwner } from '#test/support/database.ts'

openAutomations()

const people = (automation: string) => Promise.all(Array.from({ length: 12 }, () => enrolled(automation)))

test('a cancellation racing with engines leaves no queued message and no active enrollment', async () => {
  const id = await enabled({ steps: [send('hello'), tagStep('after')] })
  const all = await people(id)
  await Promise.all([tick(), post(`/automations/${id}/disable`, { running: 'cancel' }), tick(), tick()])
  await tick()
  const messages = await asOwner<{ status: string }>(
    app.databaseUrl,
    'select distinct status from messages where "to" = any ($1)',
    [all.map(({ email }) => email)],
  )
  expect(['', 'cancelled']).toContain(messages.map(({ status }) => status).join(' '))
  for (const { enrollment } of all)
    expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'cancelled' })
  await leave()
  app.clock.advance(3 * 3_600_000)
  await tick()
  for (const { contact } of all) expect((await get(`/contacts/${contact}`))['tags']).toEqual([])
})

test('a migration racing with engines switches each enrollment once and repeats no step', async () => {
  const steps = (version: string) =>
    [...'abcdef'].map((key) => ({ key, type: 'note', body: `${version}${key}` }))
  const wait = { key: 'w', type: 'wait', for: { minutes: 1 } }
  const id = await enabled({ steps: [...steps('1').slice(0, 3), wait, ...steps('1').slice(3)] })
  const all = await people(id)
  await emailing.agent.patch(`/automations/${id}`, {
    definition: { steps: [...steps('2').slice(0, 3), wait, ...steps('2').slice(3)] },
  })
  await post(`/automations/${id}/publish`)
  await Promise.all([tick(), post(`/automations/${id}/migrate`, { to: 2 }), tick(), tick()])
  await tick()
  app.clock.advance(60_000)
  await tick()
  for (const { contact, enrollment } of all) {
    expect(await historyOf(enrollment)).toEqual([...'abcwdef'].map((key) => `${key} done`))
    const notes = (await get(`/contacts/${contact}/notes`))['data'].map(({ body }: { body: string }) => body)
    expect(['2f2e2d1c1b1a', '2f2e2d2c2b2a']).toContain(notes.join(''))
  }
})
