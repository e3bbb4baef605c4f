import { beforeAll, expect, test } from 'vitest'
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
  tag,
  tick,
} from '#test/scenes/automations.ts'
import { idOf } from '#test/support/fixtures.ts'

openAutomations()

const hourMs = 3_600_000
const inHours = (hours: number) => new Date(app.clock.now().getTime() + hours * hourMs).toISOString()
const patch = async (path: string, body: object) => (await emailing.agent.patch(path, body)).body

let host: string
beforeAll(async () => {
  host = (await emailing.workspace.member()).id
})

const book = async (contact: string, hours: number) =>
  idOf(
    await post('/appointments', {
      type: 'showing',
      contact_id: contact,
      host_id: host,
      starts_at: inHours(hours),
      ends_at: inHours(hours + 1),
    }),
  )

const until = (more: object) => ({ key: 'until', type: 'wait_until', ...more })
const dayBefore = until({ anchor: 'appointment.starts_at', before: { days: 1 } })

async function waitingFor(enrollment: string) {
  return (await get(`/enrollments/${enrollment}`)).waiting_for
}

test('a wait until a time before an appointment follows the appointment when it is moved', async () => {
  const id = await enabled({ steps: [dayBefore, tag] })
  const { contact, enrollment } = await enrolled(id)
  const appointment = await book(contact, 72)
  await tick()
  expect(await waitingFor(enrollment)).toMatchObject({
    kind: 'date',
    until: inHours(48),
    refs: { appointment_id: appointment },
  })
  await patch(`/appointments/${appointment}`, { starts_at: inHours(96), ends_at: inHours(97) })
  await tick()
  expect(await waitingFor(enrollment)).toMatchObject({ until: inHours(72) })
  app.clock.advance(48 * hourMs)
  await tick()
  expect(await historyOf(enrollment)).toEqual([])
  await patch(`/appointments/${appointment}`, { starts_at: inHours(23), ends_at: inHours(24) })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['until done', 'on done'])
})

test.each([
  ['skips the wait', {}, ['until skipped gone', 'on done'], 'completed'],
  ['ends, if the step says so', { if_gone: 'exit' }, ['until skipped gone'], 'exited'],
])('an enrollment whose appointment is cancelled %s', async (_, more, history, status) => {
  const id = await enabled({ steps: [{ ...dayBefore, ...more }, tag] })
  const { contact, enrollment } = await enrolled(id)
  const appointment = await book(contact, 100)
  await tick()
  await patch(`/appointments/${appointment}`, { outcome: 'cancelled' })
  await tick()
  expect(await historyOf(enrollment)).toEqual(history)
  expect(await get(`/enrollments/${enrollment}`)).toMatchObject({ status })
})

test('a wait uses the appointment of its trigger, even if another one comes first', async () => {
  const id = await enabled({
    triggers: [{ event: 'appointment.booked' }],
    steps: [until({ anchor: 'appointment.ends_at', after: { hours: 2 } }), tag],
  })
  const contact = idOf(await post('/contacts', { first_name: 'Ada' }))
  await book(contact, 5)
  await tick()
  await book(contact, 1)
  await tick()
  const [enrollment] = (await get(`/contacts/${contact}/enrollments`)).data
  expect(enrollment.waiting_for).toMatchObject({ until: inHours(8) })
  await post(`/automations/${id}/disable`, { enrollments: 'cancel' })
})

test('the time of day of a wait is in the time zone of the workspace', async () => {
  const evening = until({ anchor: 'appointment.starts_at', before: { days: 1 }, at: '18:00' })
  const { contact, enrollment } = await enrolled(await enabled({ steps: [evening] }))
  const starts_at = '2026-06-10T20:00:00.000Z'
  await post('/appointments', {
    contact_id: contact,
    host_id: host,
    starts_at,
    ends_at: '2026-06-10T21:00:00.000Z',
  })
  await tick()
  const { timezone } = await get('/workspace')
  expect(new Date((await waitingFor(enrollment)).until).toLocaleString('en-US', { timeZone: timezone })).toBe(
    '6/9/2026, 6:00:00 PM',
  )
})

const deal = async (contact: string, more: object) =>
  idOf(await post('/deals', { contact_ids: [contact], name: 'Reyes', ...more }))

test('a wait follows the date of a deal, and is skipped when the date is cleared', async () => {
  const soon = until({ anchor: 'deal.expected_close_date', before: { days: 3 } })
  const { contact, enrollment } = await enrolled(await enabled({ steps: [soon, tag] }))
  const id = await deal(contact, { expected_close_date: '2026-08-20' })
  await tick()
  expect((await waitingFor(enrollment)).until.slice(0, 10)).toBe('2026-08-17')
  await patch(`/deals/${id}`, { expected_close_date: '2026-08-27' })
  await tick()
  expect((await waitingFor(enrollment)).until.slice(0, 10)).toBe('2026-08-24')
  await patch(`/deals/${id}`, { expected_close_date: null })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['until skipped gone', 'on done'])
})

test('a wait is skipped when its deal is deleted', async () => {
  const soon = until({ anchor: 'deal.expected_close_date', before: { days: 3 } })
  const { contact, enrollment } = await enrolled(await enabled({ steps: [soon, tag] }))
  const id = await deal(contact, { expected_close_date: '2026-08-20' })
  await tick()
  await emailing.agent.delete(`/deals/${id}`)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['until skipped gone', 'on done'])
})

test('a wait for a year after the close date uses the won deal', async () => {
  const anniversary = until({ anchor: 'deal.close_date', after: { years: 1 } })
  const { contact, enrollment } = await enrolled(await enabled({ steps: [anniversary, tag] }))
  await deal(contact, { expected_close_date: '2026-04-01' })
  const won = await deal(contact, {})
  await patch(`/deals/${won}`, { status: 'won', close_date: '2026-02-20' })
  await tick()
  expect(await waitingFor(enrollment)).toMatchObject({ refs: { deal_id: won } })
  expect((await waitingFor(enrollment)).until.slice(0, 10)).toBe('2027-02-20')
})

test('a wait without a date is skipped, and a wait for a past date ends at once', async () => {
  const steps = [
    until({ anchor: 'deal.inspection_date' }),
    { ...until({ anchor: 'contact.created_at' }), key: 'past' },
    tag,
  ]
  const { enrollment } = await enrolled(await enabled({ steps }))
  await tick()
  expect(await historyOf(enrollment)).toEqual(['until skipped gone', 'past done', 'on done'])
})

const note = (key: string) => ({ key, type: 'note', body: key })
const tagged = (key: string, value: string) => ({
  event: 'contact.tag_added',
  conditions: { field: 'event.tag', operator: 'eq', value },
  steps: [note(key)],
})
const waitForTag = {
  key: 'tagged',
  type: 'wait_for',
  events: [tagged('hot', 'hot'), tagged('cold', 'cold')],
  timeout: { days: 2 },
  on_timeout: [note('none')],
}

test('the first event whose conditions hold decides which steps follow', async () => {
  const { contact, enrollment } = await enrolled(await enabled({ steps: [waitForTag, tag] }))
  await tick()
  expect(await waitingFor(enrollment)).toMatchObject({ kind: 'event', until: inHours(48) })
  await patch(`/contacts/${contact}`, { tags: ['other'] })
  await tick()
  expect(await historyOf(enrollment)).toEqual([])
  await patch(`/contacts/${contact}`, { tags: ['other', 'cold'] })
  await tick()
  expect(await historyOf(enrollment)).toEqual(['tagged done contact.tag_added', 'cold done', 'on done'])
})

test('a wait times out without its event, but an event committed before the engine runs wins', async () => {
  const id = await enabled({ steps: [waitForTag] })
  const [late, never] = [await enrolled(id), await enrolled(id)]
  await tick()
  app.clock.advance(50 * hourMs)
  await patch(`/contacts/${late.contact}`, { tags: ['hot'] })
  await tick()
  expect(await historyOf(late.enrollment)).toEqual(['tagged done contact.tag_added', 'hot done'])
  expect(await historyOf(never.enrollment)).toEqual(['tagged done timeout', 'none done'])
})

test('a wait ignores an event caused by an earlier step of the same enrollment', async () => {
  const steps = [{ key: 'own', type: 'tag', tag: 'hot' }, waitForTag]
  const { enrollment } = await enrolled(await enabled({ steps }))
  await tick()
  expect(await waitingFor(enrollment)).toMatchObject({ kind: 'event' })
})

test('an event during a pause counts after it, and the pause stops the timeout', async () => {
  const id = await enabled({ steps: [waitForTag] })
  const [one, other] = [await enrolled(id), await enrolled(id)]
  await tick()
  app.clock.advance(24 * hourMs)
  for (const { enrollment } of [one, other]) await patch(`/enrollments/${enrollment}`, { status: 'paused' })
  await patch(`/contacts/${one.contact}`, { tags: ['hot'] })
  await tick()
  app.clock.advance(72 * hourMs)
  for (const { enrollment } of [one, other]) await patch(`/enrollments/${enrollment}`, { status: 'running' })
  await tick()
  expect(await historyOf(one.enrollment)).toEqual(['tagged done contact.tag_added', 'hot done'])
  expect(await waitingFor(other.enrollment)).toMatchObject({ until: inHours(24) })
})

test('a wait after a message counts events since the message was accepted', async () => {
  const { contact, enrollment } = await enrolled(await enabled({ steps: [send('hello'), waitForTag] }))
  await tick()
  await patch(`/contacts/${contact}`, { tags: ['hot'] })
  await leave()
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello done', 'tagged done contact.tag_added', 'hot done'])
})

test.each([
  [
    'an event that does not exist',
    { ...waitForTag, events: [{ event: 'contact.tag_aded' }] },
    'definition.steps.0.events.0.event',
  ],
  [
    'a step inside',
    { ...waitForTag, on_timeout: [{ key: 'x', type: 'tagg' }] },
    'definition.steps.0.on_timeout.0.type',
  ],
  ['no timeout', { ...waitForTag, timeout: undefined }, 'definition.steps.0.timeout'],
  ['an unknown anchor', until({ anchor: 'deal.closed' }), 'definition.steps.0.anchor'],
  [
    'two offsets',
    until({ anchor: 'deal.close_date', before: { days: 1 }, after: { days: 1 } }),
    'definition.steps.0.after',
  ],
])('a definition with %s is rejected with the path of the error', async (_, step, path) => {
  const response = await post('/automations/validate', { definition: { steps: [step] } })
  expect(response.status).toBe(400)
  expect(response.body['error'].details.map((issue: { path: string }) => issue.path)).toContain(path)
})
