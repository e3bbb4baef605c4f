import { expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  historyOf,
  leave,
  messagesTo,
  openAutomations,
  post,
  send,
  tag,
  tick,
} from '#test/scenes/automations.ts'
import { idOf } from '#test/support/fixtures.ts'
import { beginSends } from '../../messages/outbox/begin-sends.ts'
import { clarify } from '../../messages/outbox/clarify.ts'
import { settleSends } from '../../messages/outbox/settle-sends.ts'

openAutomations()

test('what a form has as a name does not become our text if it has a link', async () => {
  const { contact, email } = await enrolled(await enabled({ steps: [send('hello')] }))
  await emailing.agent.patch(`/contacts/${contact}`, {
    first_name: 'claim your $500 at https://prize.example',
  })
  await tick()
  expect(await messagesTo(email)).toMatchObject([
    { subject: 'Still looking, friend?', body: 'Hi there, this is Lantern & Oak.' },
  ])
})

test('a send step queues its message once, with its placeholders filled in', async () => {
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

test('each blocked step is recorded in the history, but only one blocked message is kept', async () => {
  const id = await enabled({ steps: [send('one'), send('two'), tag] })
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

test('a blocked message ends the enrollment if on_blocked is `exit`', async () => {
  const id = await enabled({
    steps: [send('one', { on_blocked: 'exit' }), tag],
  })
  const { email, enrollment } = await enrolled(id)
  await post('/suppressions', { kind: 'manual', email })
  await tick()
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status: 'exited', reason: 'blocked' })
})

test('a message outside its send window is created when the window opens', async () => {
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

test('a message more than a day late is skipped', async () => {
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

test('the step after a message waits until it has been sent', async () => {
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

test('a failed message is recorded in the history, and the next step follows', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  const failure = { code: 'recipient_unreachable' as const, carrierCode: '550', message: 'No.' }
  await leave({ kind: 'rejected', failure })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello failed recipient_unreachable', 'on done'])
  expect(await messagesTo(email)).toHaveLength(1)
})

const begin = () =>
  beginSends(app.runtime, { workspaceId: emailing.workspace.id, senderId: emailing.senderId }, 100)

test.each([
  ['whose outcome stays unknown', () => leave({ kind: 'unknown', message: 'No response.' })],
  ['of which nothing is heard', begin],
])('a message %s no longer delays the next step after two hours', async (_, happens) => {
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

test('a message blocked at send time is reevaluated', async () => {
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

test('a message that stays blocked has one history entry and is created once', async () => {
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

test('a message cancelled by a person is recorded as skipped, not sent', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  const { steps } = await get(`/enrollments/${enrollment}`)
  await post(`/messages/${steps[0].refs.message_id}/cancel`)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello skipped cancelled', 'on done'])
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
})

test('a message that does not begin to be sent holds back the next step, and is cancelled after a day', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  for (let hours = 0; hours < 24; hours += 6) {
    app.clock.advance(6 * 3_600_000)
    await tick()
    expect(await historyOf(enrollment)).toEqual(['hello done'])
  }
  app.clock.advance(6 * 3_600_000)
  await tick()
  await leave()
  expect(await historyOf(enrollment)).toEqual(['hello skipped late', 'on done'])
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
})

test('an exit cancels a message that has not begun to be sent for hours', async () => {
  const { contact, email, enrollment } = await enrolled(
    await enabled({ exits: [{ when: 'tag', tag: 'done' }], steps: [send('hello')] }),
  )
  await tick()
  app.clock.advance(5 * 3_600_000)
  await tick()
  await emailing.agent.patch(`/contacts/${contact}`, { tags: ['done'] })
  await tick()
  await leave()
  expect(await historyOf(enrollment)).toEqual(['hello skipped cancelled'])
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
})

const providerDown = {
  kind: 'later' as const,
  failure: { code: 'provider_unavailable' as const, carrierCode: null, message: 'No.' },
  retryAfterMs: null,
}
const givenBack = { kind: 'givenBack' as const }
const unclear = { kind: 'unknown' as const, message: 'No response.' }

test.each([
  ['the provider is down', providerDown, 'cancelled'],
  ['the worker gives it back', givenBack, 'cancelled'],
  ['its outcome is unclear', unclear, 'unknown'],
])('a message that is in flight at an exit is not sent again when %s', async (_, outcome, status) => {
  const { contact, email } = await enrolled(
    await enabled({ exits: [{ when: 'tag', tag: 'done' }], steps: [send('hello')] }),
  )
  await tick()
  const [{ attemptId, message } = { attemptId: '', message: { id: '' } }] = await begin()
  await emailing.agent.patch(`/contacts/${contact}`, { tags: ['done'] })
  await tick()
  await settleSends(app.runtime, emailing.workspace.id, [{ messageId: message.id, attemptId, outcome }])
  app.clock.advance(3_600_000)
  if (outcome.kind === 'unknown')
    await clarify(app.runtime, {} as never, {
      workspace_id: emailing.workspace.id,
      message_id: message.id,
      attempt_id: attemptId,
      began_at: app.clock.now().toISOString(),
      state: 'unknown',
    })
  await leave()
  expect(await messagesTo(email)).toMatchObject([{ status }])
})

test('pausing an enrollment cancels its queued message; resuming sends it again', async () => {
  const { email, enrollment } = await enrolled(await enabled({ steps: [send('hello'), tag] }))
  await tick()
  const patch = (status: string) => emailing.agent.patch(`/enrollments/${enrollment}`, { status })
  await patch('paused')
  await leave()
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
  app.clock.advance(20 * 3_600_000)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello deferred paused'])
  await patch('running')
  await tick()
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello deferred paused', 'hello done', 'on done'])
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }, { status: 'sent' }])
})

test('disabling an automation cancels its queued messages', async () => {
  const id = await enabled({ steps: [send('hello'), tag] })
  const { email, enrollment } = await enrolled(id)
  await tick()
  await post(`/automations/${id}/disable`, {})
  await tick()
  await leave()
  expect(await messagesTo(email)).toMatchObject([{ status: 'cancelled' }])
  await post(`/automations/${id}/enable`)
  await tick()
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello deferred paused', 'hello done', 'on done'])
})

test('a message deferred for days has one history entry for its send window', async () => {
  const window = { days: ['mon'], from: '09:00', to: '09:01', zone: 'workspace' }
  const { email, enrollment } = await enrolled(
    await enabled({ send_window: window, steps: [send('hello'), tag] }),
  )
  for (let day = 0; day < 8; day++) {
    await tick()
    app.clock.advance(24 * 3_600_000)
  }
  expect((await historyOf(enrollment)).filter((one) => one === 'hello deferred send_window')).toHaveLength(1)
  expect((await historyOf(enrollment)).slice(-2)).toEqual(['hello blocked too_late', 'on done'])
  expect((await messagesTo(email)).filter(({ status }) => status !== 'blocked')).toEqual([])
})

test('an exit cancels a queued message, and no later message is sent', async () => {
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
