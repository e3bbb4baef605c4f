import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { type Emailing, startEmailing } from '#test/support/emailing.ts'
import { idOf } from '#test/support/fixtures.ts'
import { beginSends } from '../../messages/outbox/begin-sends.ts'
import { settleSends } from '../../messages/outbox/settle-sends.ts'
import type { SendOutcome } from '../../messages/ports.ts'
import { createEngine } from './engine.ts'
import { moveContact } from './move-contact.ts'
import { holdLanesAcrossWorkspaces } from './queue-queries.ts'
import { retryLater } from './retry-later.ts'

let app: TestApp
let emailing: Emailing

// A Monday, 10 am in Chicago.
const morning = '2026-03-02T16:00:00.000Z'

beforeAll(async () => {
  app = await testApp({ role: 'api', now: morning })
  emailing = await startEmailing(app)
})
afterAll(() => app[Symbol.asyncDispose]())

type Json = Record<string, unknown>

const post = (path: string, body: object = {}) => emailing.agent.post(path, body)
const get = async (path: string) => (await emailing.agent.get(path)).body

async function tick(): Promise<void> {
  await using queue = app.runtime.database.across('gable_engine')
  const engine = createEngine(app.runtime, queue, newId(app.clock.now()))
  while ((await engine.tick()) > 0);
}

const send = (key: string, more: object = {}) => ({
  key,
  type: 'send',
  channel: 'email',
  subject: 'Still looking, {{contact.first_name|friend}}?',
  body: 'Hi {{contact.first_name|there}}, this is {{workspace.name}}.',
  ...more,
})

async function enabled(definition: object): Promise<string> {
  const id = idOf(await post('/automations', { name: 'No reply', definition }))
  await post(`/automations/${id}/publish`)
  await post(`/automations/${id}/enable`)
  return id
}

let people = 0
async function enrolled(automation: string): Promise<{ contact: string; email: string; enrollment: string }> {
  const email = `ada${++people}@reyes.example`
  const contact = idOf(await post('/contacts', { first_name: 'Ada', email }))
  return {
    contact,
    email,
    enrollment: idOf(await post(`/automations/${automation}/enroll`, { contact_id: contact })),
  }
}

const messagesTo = (email: string) =>
  asOwner<Json>(
    app.databaseUrl,
    'select status, subject, body, source from messages where "to" = $1 order by id',
    [email],
  )

/** Begins and settles what waits to be sent, as a worker does. */
async function leave(outcome?: SendOutcome) {
  const { workspace, senderId } = emailing
  const begun = await beginSends(app.runtime, { workspaceId: workspace.id, senderId }, 100)
  const settled = begun.map(({ message, attemptId }) => ({
    messageId: message.id,
    attemptId,
    outcome: outcome ?? { kind: 'taken' as const, providerMessageId: attemptId },
  }))
  await settleSends(app.runtime, workspace.id, settled)
}

const tag = { key: 'on', type: 'tag', tag: 'on' }
const keysAndOutcomes = (steps: Json[]) =>
  steps.map(({ step_key, outcome, reason }) => [step_key, outcome, reason ?? null].join(' ').trim())
const historyOf = async (enrollment: string) =>
  keysAndOutcomes((await get(`/enrollments/${enrollment}`)).steps)

test('a message is accepted through the gates, once, with its words filled in', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello')] }))
  await tick()
  await tick()
  expect(await messagesTo(email)).toEqual([
    {
      status: 'queued',
      subject: 'Still looking, Ada?',
      body: 'Hi Ada, this is Lantern & Oak.',
      source: 'automation',
    },
  ])
  const { steps } = await get(`/enrollments/${enrollment}`)
  expect(steps).toMatchObject([
    { step_key: 'hello', outcome: 'done', refs: { message_id: expect.any(String) } },
  ])
})

test('what a gate forbids is in the history each time, and a message once', async () => {
  const id = await enabled({ steps: [send('one'), send('two'), { key: 'on', type: 'tag', tag: 'on' }] })
  const { email, enrollment } = await enrolled(id)
  await post('/suppressions', { kind: 'manual', email })
  await tick()
  expect(await messagesTo(email)).toMatchObject([{ status: 'blocked' }])
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({
    status: 'completed',
    steps: [
      { step_key: 'one', outcome: 'blocked', reason: 'suppressed_manual' },
      { step_key: 'two', outcome: 'blocked', reason: 'suppressed_manual' },
      { step_key: 'on', outcome: 'done' },
    ],
  })
})

test('with `exit`, what a gate forbids ends the enrollment', async () => {
  const id = await enabled({
    steps: [send('one', { on_blocked: 'exit' }), { key: 'on', type: 'tag', tag: 'on' }],
  })
  const { email, enrollment } = await enrolled(id)
  await post('/suppressions', { kind: 'manual', email })
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', reason: 'blocked' })
})

test('outside the send window nothing is written, and it goes out when the window opens', async () => {
  const window = { from: '13:00', to: '14:00', zone: 'workspace' }
  const { email, enrollment } = await enrolled(await enabled({ send_window: window, steps: [send('hello')] }))
  await tick()
  expect(await messagesTo(email)).toEqual([])
  const { waiting_for } = await get(`/enrollments/${enrollment}`)
  expect(waiting_for).toMatchObject({ kind: 'hours' })
  app.clock.set(new Date(waiting_for.until))
  await tick()
  expect(await messagesTo(email)).toHaveLength(1)
})

test('a send that is a day behind its time is left out', async () => {
  const id = await enabled({
    steps: [
      { key: 'w', type: 'wait', for: { hours: 1 } },
      send('late'),
      { key: 'on', type: 'tag', tag: 'on' },
    ],
  })
  const { email, enrollment } = await enrolled(id)
  await tick()
  app.clock.advance(26 * 3_600_000)
  await tick()
  expect(await messagesTo(email)).toEqual([])
  const { steps } = await get(`/enrollments/${enrollment}`)
  expect(steps).toMatchObject([{}, { outcome: 'skipped', reason: 'late' }, { outcome: 'done' }])
})

test('what follows a message waits until it has left', async () => {
  const { enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({
    step_key: 'hello',
    waiting_for: { kind: 'message', refs: { message_id: expect.any(String) } },
    next: { key: 'hello' },
  })
  expect(await historyOf(enrollment)).toEqual(['hello done'])
  await leave()
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'completed', waiting_for: null })
  expect(await historyOf(enrollment)).toEqual(['hello done', 'on done'])
})

test('a message that failed is so in the history, and the next step follows', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  const failure = { code: 'recipient_unreachable' as const, carrierCode: '550', message: 'No.' }
  await leave({ kind: 'rejected', failure })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello failed recipient_unreachable', 'on done'])
  expect(await messagesTo(email)).toHaveLength(1)
})

test.each([
  ['whose outcome stays unknown', () => leave({ kind: 'unknown', message: 'No response.' })],
  ['of which nothing is heard', async () => {}],
])('a message %s counts as sent after two hours', async (_, happens) => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  await happens()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello done'])
  app.clock.advance(2 * 3_600_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello done', 'on done'])
  expect(await messagesTo(email)).toHaveLength(1)
})

test('a message that is blocked when it should begin is judged again', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  const [suppression] = [await post('/suppressions', { kind: 'manual', email })]
  await leave()
  await post(`/suppressions/${idOf(suppression)}/lift`, { reason: 'A mistake.' })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello blocked suppressed_manual', 'hello done'])
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello blocked suppressed_manual', 'hello done', 'on done'])
  expect(await messagesTo(email)).toMatchObject([{ status: 'blocked' }, { status: 'sent' }])
})

test('a message that stays blocked has one entry, and is one message', async () => {
  const id = await enabled({ steps: [send('hello', { on_blocked: 'exit' }), tag] })
  const { email, enrollment } = await enrolled(id)
  await tick()
  await post('/suppressions', { kind: 'manual', email })
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello blocked suppressed_manual'])
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', reason: 'blocked' })
  expect(await messagesTo(email)).toHaveLength(1)
})

test('a message that a person cancels is not taken for sent', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  const { steps } = await get(`/enrollments/${enrollment}`)
  await post(`/messages/${steps[0].refs.message_id}/cancel`)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello skipped cancelled', 'on done'])
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
})

test('a pause takes back a message that has not begun; it is judged again afterwards', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  const patch = (status: string) => emailing.agent.patch(`/enrollments/${enrollment}`, { status })
  await patch('paused')
  await leave()
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
  app.clock.advance(3 * 24 * 3_600_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello deferred paused'])
  await patch('running')
  await tick()
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello deferred paused', 'hello done', 'on done'])
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }, { status: 'sent' }])
})

test('disabling takes back messages that have not begun', async () => {
  const id = await enabled({ steps: [send('hello'), tag] })
  const { email, enrollment } = await enrolled(id)
  await tick()
  await post(`/automations/${id}/disable`, {})
  await leave()
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
  await post(`/automations/${id}/enable`)
  await tick()
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello deferred paused', 'hello done', 'on done'])
})

test('a message that may not go for seven days is blocked; until then the history has each reason once', async () => {
  const window = { days: ['mon'], from: '09:00', to: '09:01', zone: 'workspace' }
  const { email, enrollment } = await enrolled(
    await enabled({ send_window: window, steps: [send('hello'), tag] }),
  )
  for (let day = 0; day < 8; day++) {
    await tick()
    app.clock.advance(24 * 3_600_000)
  }
  expect((await historyOf(enrollment)).filter((one) => one === 'hello deferred send_window')).toHaveLength(1)
  expect((await messagesTo(email)).length).toBeLessThanOrEqual(1)
})

test('an exit cancels a message that has not begun, and none is sent after it', async () => {
  const id = await enabled({
    exits: [{ when: 'opted_out' }],
    steps: [send('one'), { key: 'w', type: 'wait', for: { hours: 1 } }, send('two')],
  })
  const { contact, email, enrollment } = await enrolled(id)
  await tick()
  await emailing.agent.patch(`/contacts/${contact}`, { stage: 'TRASH' })
  app.clock.advance(3_600_000)
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', reason: 'trash' })
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
  expect(await historyOf(enrollment)).toEqual(['one skipped cancelled'])
})

async function hold() {
  await using queue = app.runtime.database.across('gable_engine')
  const now = app.clock.now()
  const workspaceId = emailing.workspace.id
  await queue.run`
    insert into automation_lanes (workspace_id, next_at, holder_id, held_until, fence)
    values (${workspaceId}, null, null, ${now}, 0) on conflict (workspace_id) do nothing`
  const until = new Date(now.getTime() - 1)
  const [held] = await holdLanesAcrossWorkspaces(queue, {
    ids: [workspaceId],
    holder: newId(now),
    now,
    until,
    limit: 1,
  })
  if (held === undefined) throw new Error('The lane is held.')
  return held
}

test('a move that throws takes no step and loses no exit; it is tried again, and fails at last', async () => {
  const id = await enabled({
    exits: [{ when: 'owner_changed' }],
    steps: [{ key: 'a', type: 'tag', tag: 'a' }],
  })
  const { contact, enrollment } = await enrolled(id)
  const { ctx } = emailing.workspace
  for (const minutes of [1, 5, 30, 120]) {
    await retryLater(ctx, await hold(), contact)
    expect((await get(`/enrollments/${enrollment}`)).next.at).toBe(
      new Date(app.clock.now().getTime() + minutes * 60_000).toISOString(),
    )
    app.clock.advance(minutes * 60_000)
  }
  await retryLater(ctx, await hold(), contact)
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({
    status: 'failed',
    reason: 'error',
    steps: [],
  })

  const second = await enrolled(id)
  const { id: owner } = await emailing.workspace.member()
  await emailing.agent.patch(`/contacts/${second.contact}`, { owner_id: owner })
  await retryLater(ctx, await hold(), second.contact)
  expect(await get(`/enrollments/${second.enrollment}`)).toMatchObject({
    status: 'exited',
    reason: 'owner_changed',
  })
})

test('an engine that dies between an effect and its commit leaves nothing, and the next one does it once', async () => {
  const { contact, email } = await enrolled(await enabled({ steps: [send('hello')] }))
  const { ctx } = emailing.workspace
  const dying = {
    ...ctx,
    transaction: <T>(work: (tx: never) => Promise<T>) =>
      ctx.transaction(async (tx) => {
        await work(tx as never)
        await tx.flush()
        throw new Error('killed')
      }),
  }
  await expect(moveContact(dying as typeof ctx, await hold(), contact)).rejects.toThrow('killed')
  expect(await messagesTo(email)).toEqual([])
  await tick()
  expect(await messagesTo(email)).toHaveLength(1)
})

test('an engine that has lost its lane writes nothing', async () => {
  const { contact, email } = await enrolled(await enabled({ steps: [send('hello')] }))
  const lost = await hold()
  await hold()
  await moveContact(emailing.workspace.ctx, lost, contact)
  expect(await messagesTo(email)).toEqual([])
  await tick()
  expect(await messagesTo(email)).toHaveLength(1)
})
