import { describe, expect, test } from 'vitest'
import {
  app,
  emailing,
  enabled,
  enrolled,
  get,
  historyOf,
  messagesTo,
  openAutomations,
  post,
  send,
  tick,
} from '#test/scenes/automations.ts'
import { idOf } from '#test/support/fixtures.ts'

// Bugs that other products are known for.
openAutomations()

type Json = Record<string, unknown>

const minute = 60_000
const hour = 60 * minute
const wait = (count: number) => ({ key: 'w', type: 'wait', for: { minutes: count } })
const note = (body: string) => ({ key: 'n', type: 'note', body })
const tagged = (tag: string) => ({
  event: 'contact.tag_added',
  conditions: { field: 'trigger.tag', operator: 'eq', value: tag },
})

const notesOf = async (contact: string): Promise<unknown[]> =>
  ((await get(`/contacts/${contact}/notes`)).data as Json[]).map(({ body }) => body)
const enrollmentsIn = async (automation: string): Promise<Json[]> =>
  (await get(`/automations/${automation}/enrollments`)).data

describe('automation loops', () => {
  test('an automation whose step is its own trigger runs once', async () => {
    const id = await enabled({
      triggers: [tagged('vip')],
      re_enrollment: 'always',
      steps: [
        { key: 'off', type: 'untag', tag: 'vip' },
        { key: 'on', type: 'tag', tag: 'vip' },
      ],
    })
    const contact = idOf(await post('/contacts', { first_name: 'Ada' }))
    await emailing.agent.patch(`/contacts/${contact}`, { tags: ['vip'] })
    for (let n = 0; n < 5; n++) await tick()
    expect(await enrollmentsIn(id)).toHaveLength(1)
  })

  test('two automations that trigger each other run once each', async () => {
    const ping = (from: string, to: string) =>
      enabled({
        triggers: [tagged(from)],
        re_enrollment: 'always',
        steps: [
          { key: 'off', type: 'untag', tag: to },
          { key: 'on', type: 'tag', tag: to },
        ],
      })
    const [one, other] = [await ping('ping', 'pong'), await ping('pong', 'ping')]
    const contact = idOf(await post('/contacts', { first_name: 'Ada' }))
    await emailing.agent.patch(`/contacts/${contact}`, { tags: ['ping'] })
    for (let n = 0; n < 5; n++) await tick()
    expect(await enrollmentsIn(one)).toHaveLength(1)
    expect(await enrollmentsIn(other)).toHaveLength(1)
  })
})

test('re-entry: a contact who leaves and enters again follows only the new schedule', async () => {
  const id = await enabled({ steps: [wait(10), note('now')] })
  const { contact, enrollment } = await enrolled(id)
  await tick()
  app.clock.advance(5 * minute)
  await emailing.agent.patch(`/enrollments/${enrollment}`, { status: 'cancelled' })
  await post(`/automations/${id}/enroll`, { contact_id: contact })
  await tick()
  app.clock.advance(6 * minute)
  await tick()
  expect(await notesOf(contact)).toEqual([])
  app.clock.advance(4 * minute)
  await tick()
  expect(await notesOf(contact)).toEqual(['now'])
})

describe('pacing and timing after a pause or an outage', () => {
  test('enrollments that were queued when their automation was disabled resume one by one', async () => {
    const id = await enabled({ steps: [note('now')] })
    const contacts: string[] = []
    for (let n = 0; n < 6; n++) contacts.push((await enrolled(id)).contact)
    await post(`/automations/${id}/disable`)
    await tick()
    app.clock.advance(72 * hour)
    await post(`/automations/${id}/enable`)
    await tick()
    const done = async () => (await Promise.all(contacts.map(notesOf))).flat().length
    expect(await done()).toBeLessThanOrEqual(1)
    app.clock.advance(20_000)
    await tick()
    expect(await done()).toBe(2)
    app.clock.advance(3 * minute)
    await tick()
    expect(await done()).toBe(6)
  })

  test('messages more than a day late after an outage are skipped', async () => {
    const id = await enabled({ steps: [wait(60), send('hello')] })
    const { email, enrollment } = await enrolled(id)
    await tick()
    app.clock.advance(26 * hour)
    await tick()
    expect(await messagesTo(email)).toEqual([])
    expect(await historyOf(enrollment)).toEqual(['w done', 'hello skipped late'])
  })

  test('a pause stops the clock of a wait', async () => {
    const id = await enabled({ steps: [wait(60), note('now')] })
    const { contact, enrollment } = await enrolled(id)
    await tick()
    await emailing.agent.patch(`/enrollments/${enrollment}`, { status: 'paused' })
    app.clock.advance(30 * hour)
    await emailing.agent.patch(`/enrollments/${enrollment}`, { status: 'running' })
    await tick()
    expect(await notesOf(contact)).toEqual([])
    app.clock.advance(hour)
    await tick()
    expect(await notesOf(contact)).toEqual(['now'])
  })
})

test('edits: each enrollment follows the version that it entered', async () => {
  const id = await enabled({ steps: [wait(5), note('one')] })
  const earlier = await enrolled(id)
  await tick()
  await emailing.agent.patch(`/automations/${id}`, { definition: { steps: [wait(5), note('two')] } })
  await post(`/automations/${id}/publish`)
  const later = await enrolled(id)
  await tick()
  app.clock.advance(5 * minute)
  await tick()
  expect(await notesOf(earlier.contact)).toEqual(['one'])
  expect(await notesOf(later.contact)).toEqual(['two'])
})

test.each(['pause', 'cancel'] as const)(
  'disabled with `%s`: an automation takes no step and no contact enters it',
  async (running) => {
    const id = await enabled({ triggers: [tagged(`in-${running}`)], steps: [wait(5), note('now')] })
    const { contact, enrollment } = await enrolled(id)
    await tick()
    await post(`/automations/${id}/disable`, { running })
    app.clock.advance(10 * minute)
    const other = idOf(await post('/contacts', { first_name: 'Ben' }))
    await emailing.agent.patch(`/contacts/${other}`, { tags: [`in-${running}`] })
    await tick()
    expect(await notesOf(contact)).toEqual([])
    expect((await get(`/enrollments/${enrollment}`)).status).toBe(
      running === 'pause' ? 'paused' : 'cancelled',
    )
    expect(await enrollmentsIn(id)).toHaveLength(1)
  },
)

test('cancelled sends: the history records a cancelled message as skipped, not sent', async () => {
  const { enrollment } = await enrolled(await enabled({ steps: [send('hello'), note('after')] }))
  await tick()
  const { steps } = await get(`/enrollments/${enrollment}`)
  await post(`/messages/${steps[0].refs.message_id}/cancel`)
  await tick()
  expect(await historyOf(enrollment)).toEqual(['hello skipped cancelled', 'n done'])
})
