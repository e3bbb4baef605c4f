import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { StatusReport } from '../../src/modules/messages/ports.ts'
import { type Scene, openScene, unclear } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('unclear')))
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(() => scene.begin())

const seconds = (n: number) => n * 1000
const minutes = (n: number) => n * 60_000

const lookups = [seconds(30), minutes(2), minutes(10), minutes(15)]

test('an unclear text is looked up after 30 s, 2, 10, and 15 minutes, never resent, and stays unknown', async () => {
  const { app, person, send, look, read, eventsOf, count, script } = scene
  const id = await send(await person(), 'Hello')
  const began = app.clock.now().getTime()
  script.outcomes = [unclear]
  await look()
  expect(await read(id)).toMatchObject({ status: 'unknown' })
  expect(await eventsOf(id)).toEqual([])
  for (let passed = 0; passed < minutes(20); passed += seconds(5)) {
    app.clock.advance(seconds(5))
    expect(await look()).toEqual([])
  }
  expect(script.looked.map((at) => at.getTime() - began)).toEqual(lookups)
  expect(await read(id)).toMatchObject({ status: 'unknown', sent_at: null })
  expect(await eventsOf(id)).toEqual(['message.unknown'])
  expect(await count('outbox')).toBe(0)
})

const report = (status: StatusReport['status']): StatusReport => ({
  attemptId: null,
  providerMessageId: 'SM9',
  status,
  failure:
    status === 'undelivered'
      ? { code: 'recipient_unreachable', carrierCode: '30003', message: 'Off.' }
      : null,
  at: null,
})

test.for([
  [0, 'sent', ['message.sent']],
  [1, 'delivered', ['message.sent', 'message.delivered']],
  [2, 'undelivered', ['message.sent', 'message.failed']],
  [3, 'sent', ['message.sent']],
] as const)(
  'an unclear message found at lookup %i as %s takes that status',
  async ([place, status, events]) => {
    const { app, person, send, look, read, eventsOf, count, script } = scene
    const id = await send(await person(), 'Hello')
    script.outcomes = [unclear]
    await look()
    for (const [i, at] of lookups.entries()) {
      if (i > place) break
      if (i === place) script.found = report(status)
      app.clock.advance(at - (lookups[i - 1] ?? 0))
      await look()
    }
    expect(await read(id)).toMatchObject({ status, provider_message_id: 'SM9' })
    expect(await eventsOf(id)).toEqual(events)
    expect(await count('outbox')).toBe(0)
    expect(script.sent).toHaveLength(1)
  },
)

test('a message begun by a lost worker becomes unknown, is found, and is never resent', async () => {
  const { app, person, send, look, read, script } = scene
  const id = await send(await person(), 'Hello')
  // Nothing is settled until the provider responds, as if the worker were gone.
  const { promise, resolve } = Promise.withResolvers<void>()
  script.during = () => promise
  const lost = look({ ...app.runtime })
  await expect.poll(() => script.sent.length, { timeout: 20_000 }).toBe(1)
  app.clock.advance(seconds(19))
  await look()
  expect(await read(id)).toMatchObject({ status: 'sending' })
  app.clock.advance(seconds(2))
  await look()
  expect(await read(id)).toMatchObject({ status: 'unknown' })
  script.found = report('delivered')
  app.clock.advance(seconds(30))
  await look()
  expect(await read(id)).toMatchObject({ status: 'delivered' })
  resolve()
  await lost
  expect(await read(id)).toMatchObject({ status: 'delivered' })
  expect(script.sent).toHaveLength(1)
})

/** Sends an email to a new address. Its first attempt ends without a clear outcome. */
async function unclearEmail() {
  const { send, script, look } = scene
  const id = await send('sam@reyes.example', 'Hello', { channel: 'email', subject: 'Hi' })
  script.outcomes = [unclear]
  await look()
  return id
}

test('an unclear email is resent once after 30 s, unchanged except for its bounce address', async () => {
  const { app, read, eventsOf, count, look, script } = scene
  const id = await unclearEmail()
  expect(await read(id)).toMatchObject({ status: 'unknown' })
  app.clock.advance(seconds(29))
  expect(await look()).toEqual([])
  app.clock.advance(seconds(2))
  await look()
  expect(await look()).toEqual(['Hello'])
  const [first, second] = script.sent
  expect(second).toEqual({
    ...first,
    attemptId: second?.attemptId,
    email: { ...first?.email, bounceTo: second?.email?.bounceTo },
  })
  expect(second?.attemptId).not.toBe(first?.attemptId)
  expect(await read(id)).toMatchObject({ status: 'sent' })
  expect(await eventsOf(id)).toEqual(['message.sent'])
  expect(await count('outbox')).toBe(0)
})

test('an email that is unclear twice is not sent a third time, and stays unknown', async () => {
  const { app, read, eventsOf, count, look, script } = scene
  const id = await unclearEmail()
  script.outcomes = [unclear]
  for (let passed = 0; passed < minutes(20); passed += seconds(10)) {
    app.clock.advance(seconds(10))
    await look()
  }
  expect(script.sent).toHaveLength(2)
  expect(await read(id)).toMatchObject({ status: 'unknown', sent_at: null })
  expect(await eventsOf(id)).toEqual(['message.unknown'])
  expect(await count('outbox')).toBe(0)
})

test('an unclear email that has since been suppressed is not resent and stays unknown', async () => {
  const { app, agent, read, eventsOf, look, script } = scene
  const id = await unclearEmail()
  await agent.post('/suppressions', { email: 'sam@reyes.example', kind: 'opted_out', channels: ['email'] })
  app.clock.advance(seconds(31))
  await look()
  await look()
  expect(script.sent).toHaveLength(1)
  expect(await read(id)).toMatchObject({ status: 'unknown' })
  expect(await eventsOf(id)).toEqual(['message.unknown'])
})
