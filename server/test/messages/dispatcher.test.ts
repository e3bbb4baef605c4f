import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { asOwner } from '#test/support/database.ts'
import { suppress } from '../../src/modules/compliance/public.ts'
import { turnConversation } from '../../src/modules/messages/conversations/conversation-queries.ts'
import { findDefaultSender, updateSender } from '../../src/modules/senders/public.ts'
import { type Scene, later, openScene, rejected } from './scripted.ts'

let scene: Scene
beforeAll(async () => void (scene = await openScene('dispatcher')))
afterAll(() => scene[Symbol.asyncDispose]())

beforeEach(() => scene.begin())

const seconds = (n: number) => n * 1000
const minutes = (n: number) => n * 60_000

const hours = (n: number) => minutes(60 * n)

/** Records that the person writes to the workspace now. */
const wroteNow = (from: string) =>
  scene.workspace.ctx.transaction(async (tx) => {
    const at = tx.clock.now()
    await turnConversation(tx, {
      id: newId(at),
      senderId: (await smsSender()).id,
      channel: 'SMS',
      address: from,
      contactId: null,
      messageId: newId(at),
      direction: 'INBOUND',
      at: at.toISOString(),
    })
  })

const smsSender = async () => {
  const sender = await findDefaultSender(scene.workspace.ctx.db, 'SMS')
  if (sender === undefined) throw new Error('There is no sender.')
  return sender
}

test('a message the provider accepts is sent once and gets the provider’s ID', async () => {
  const { person, send, look, read, eventsOf, count, script } = scene
  const to = await person()
  const id = await send(to, 'Hello')
  expect(await look()).toEqual(['Hello'])
  expect(script.sent).toMatchObject([{ to, from: '+13125550188', channel: 'sms' }])
  expect(await read(id)).toMatchObject({
    status: 'sent',
    provider_message_id: expect.stringMatching(/^SM/),
    error: null,
  })
  expect(await eventsOf(id)).toEqual(['message.sent'])
  expect(await count('outbox')).toBe(0)
  expect(await look()).toEqual([])
})

test('a rejected message fails with the reason and is not retried', async () => {
  const { person, send, look, read, eventsOf, count, script } = scene
  const id = await send(await person(), 'Hello')
  script.outcomes = [rejected]
  await look()
  expect(await read(id)).toMatchObject({
    status: 'failed',
    sent_at: null,
    error: { code: 'rejected', carrier_code: '20429' },
  })
  expect(await eventsOf(id)).toEqual(['message.failed'])
  expect(await count('outbox')).toBe(0)
})

test('a message surely not accepted is retried after 5 s, 30 s, 2 and 10 minutes, then fails', async () => {
  const { app, person, send, look, read, eventsOf, script } = scene
  const id = await send(await person(), 'Hello')
  script.outcomes = [later, later, later, later, later]
  expect(await look()).toEqual(['Hello'])
  for (const pause of [seconds(5), seconds(30), minutes(2), minutes(10)]) {
    expect(await read(id)).toMatchObject({ status: 'queued', error: null })
    app.clock.advance(pause - 1)
    expect(await look()).toEqual([])
    app.clock.advance(1)
    expect(await look()).toEqual(['Hello'])
  }
  expect(await read(id)).toMatchObject({ status: 'failed', error: { code: 'provider_unavailable' } })
  expect(await eventsOf(id)).toEqual(['message.failed'])
  app.clock.advance(minutes(60))
  expect(await look()).toEqual([])
})

test('the provider can set the retry delay', async () => {
  const { app, person, send, look, script } = scene
  await send(await person(), 'Hello')
  script.outcomes = [{ ...later, retryAfterMs: seconds(20) } as typeof later]
  await look()
  app.clock.advance(seconds(20) - 1)
  expect(await look()).toEqual([])
  app.clock.advance(1)
  expect(await look()).toEqual(['Hello'])
})

test('a message scheduled for allowed hours does not hold the next one to the same person', async () => {
  const { app, person, send, look, script } = scene
  const to = await person()
  app.clock.advance(-hours(7))
  await send(to, 'In the morning', { when_blocked: 'schedule' })
  // The person writes at night, and gets a reply at once.
  await wroteNow(to)
  await send(to, 'At once', { purpose: 'reply' })
  expect(await look()).toEqual(['At once'])
  app.clock.advance(hours(7))
  expect(await look()).toEqual(['In the morning'])
  expect(script.sent).toHaveLength(2)
})

test('a sender sends no more segments per second than its pace', async () => {
  const { app, workspace, person, send, look } = scene
  await updateSender(workspace.ctx, (await smsSender()).id, { pace: 1 })
  const long = 'Two'.padEnd(300, '.')
  for (const body of ['One', long, 'Three']) await send(await person(), body)
  expect(await look()).toEqual(['One'])
  app.clock.advance(999)
  expect(await look()).toEqual([])
  app.clock.advance(1)
  expect(await look()).toEqual([long])
  app.clock.advance(seconds(2) - 1)
  expect(await look()).toEqual([])
  app.clock.advance(1)
  expect(await look()).toEqual(['Three'])
})

test('an opt-out after a message was accepted blocks it', async () => {
  const { workspace, person, send, look, read, eventsOf, count, script } = scene
  const to = await person()
  const id = await send(to, 'Hello')
  await suppress(workspace.ctx, [
    { subject: { type: 'phone', value: to as never }, kind: 'opted_out', source: 'operator' },
  ])
  expect(await look()).toEqual([])
  expect(script.sent).toEqual([])
  expect(await read(id)).toMatchObject({
    status: 'blocked',
    compliance: { decision: 'blocked', reason: 'opted_out', reasons: ['opted_out'] },
  })
  expect(await eventsOf(id)).toEqual(['message.blocked'])
  expect(await count('outbox')).toBe(0)
})

test('a scheduled message leaves when allowed hours begin, not before', async () => {
  const { app, person, send, look, read } = scene
  app.clock.advance(-hours(7))
  const id = await send(await person(), 'Good morning', { when_blocked: 'schedule' })
  const { scheduled_at } = await read(id)
  app.clock.set(new Date(Date.parse(String(scheduled_at)) - 1))
  expect(await look()).toEqual([])
  app.clock.advance(1)
  expect(await look()).toEqual(['Good morning'])
  expect(await read(id)).toMatchObject({ status: 'sent' })
})

test('a scheduled message that finds the hours closed three times is blocked', async () => {
  const { app, person, send, look, read, eventsOf } = scene
  // At night in Chicago, and again on each of the following nights, as if the worker had been down all day.
  app.clock.advance(-hours(7))
  const id = await send(await person(), 'Hello', { when_blocked: 'schedule' })
  const statuses: unknown[] = []
  for (let night = 0; night < 3; night++) {
    app.clock.advance(hours(24) - 1)
    expect(await look()).toEqual([])
    statuses.push((await read(id))['status'])
  }
  expect(statuses).toEqual(['scheduled', 'scheduled', 'blocked'])
  expect(await eventsOf(id)).toEqual(['message.blocked'])
})

test('a message not meant to wait is blocked if the hours close before it leaves', async () => {
  const { app, person, send, look, read } = scene
  const id = await send(await person(), 'Hello')
  app.clock.advance(hours(15))
  expect(await look()).toEqual([])
  expect(await read(id)).toMatchObject({ status: 'blocked', compliance: { reason: 'quiet_hours' } })
})

test('a carrier rejection for an unregistered sender blocks the sender’s other messages', async () => {
  const { workspace, person, send, look, read, script } = scene
  const { id: senderId } = await smsSender()
  const first = await send(await person(), 'First')
  const second = await send(await person(), 'Second')
  script.outcomes = Array.from({ length: 2 }, () => ({
    kind: 'rejected',
    failure: { code: 'sender_not_registered', carrierCode: '30034', message: 'Not registered.' },
  }))
  await updateSender(workspace.ctx, senderId, { pace: 1 })
  scene.app.clock.advance(seconds(60))
  expect(await look()).toEqual(['First'])
  expect(await read(first)).toMatchObject({ status: 'failed', error: { code: 'sender_not_registered' } })
  expect((await smsSender()).registration).toMatchObject({ number: 'UNREGISTERED' })
  scene.app.clock.advance(seconds(1))
  expect(await look()).toEqual([])
  expect(await read(second)).toMatchObject({
    status: 'blocked',
    compliance: { reason: 'a2p_number_not_registered' },
  })
  await updateSender(workspace.ctx, senderId, { pace: 100, registration: { number: 'REGISTERED' } })
})

test('an opt-out reported by the carrier becomes our own opt-out', async () => {
  const { agent, person, send, look, script } = scene
  const to = await person()
  await send(to, 'Hello')
  script.outcomes = [
    {
      kind: 'rejected',
      failure: { code: 'recipient_opted_out', carrierCode: '21610', message: 'Opted out.' },
    },
  ]
  await look()
  const { status, body } = await agent.post('/messages', { channel: 'sms', to, body: 'Again' })
  expect([status, body['error'].reason]).toEqual([422, 'opted_out'])
  const events = await asOwner<{ name: string }>(
    scene.app.databaseUrl,
    "select name from events where name in ('recipient.suppressed', 'message.failed') order by id desc limit 2",
  )
  expect(events.map(({ name }) => name)).toEqual(['message.failed', 'recipient.suppressed'])
})

test('a message not handed over within a second returns to the queue without counting as an attempt', async () => {
  const { app, person, send, look, read, script } = scene
  const id = await send(await person(), 'Hello')
  let elapsed = app.clock.elapsed()
  const slow = { ...app.runtime, clock: { ...app.clock, elapsed: () => (elapsed += 1001) } }
  expect(await look(slow)).toEqual([])
  expect(script.sent).toEqual([])
  expect(await read(id)).toMatchObject({ status: 'queued' })
  script.outcomes = [later, later, later, later]
  for (const pause of [0, seconds(5), seconds(30), minutes(2), minutes(10)]) {
    app.clock.advance(pause)
    expect(await look()).toEqual(['Hello'])
  }
  expect(await read(id)).toMatchObject({ status: 'sent' })
})

test('several workers send each message once', async () => {
  const { app, person, send, look, script } = scene
  const bodies = Array.from({ length: 20 }, (_, i) => `Message ${i}`)
  for (const body of bodies) await send(await person(), body)
  const workers = Array.from({ length: 3 }, () => ({ ...app.runtime }))
  for (let round = 0; round < 5; round++) {
    await Promise.all(workers.map((worker) => look(worker)))
    app.clock.advance(seconds(1))
  }
  expect(script.sent.map(({ body }) => body).toSorted()).toEqual(bodies.toSorted())
})
