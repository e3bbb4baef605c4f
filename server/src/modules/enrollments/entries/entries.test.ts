import { beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  app,
  emailing,
  enabled,
  enrolled,
  openAutomations,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { deleteOldEntries } from './jobs.ts'

openAutomations()

let agent: Client
beforeAll(() => {
  agent = emailing.agent
})

type Json = Record<string, unknown>

const data = async (path: string) => (await agent.get(path)).body['data'] as Json[]
const contact = async (more: object = {}) =>
  idOf(await agent.post('/contacts', { first_name: 'Ada', ...more }))
const setTags = (id: string, ...tags: string[]) => agent.patch(`/contacts/${id}`, { tags })
const on = (tag: string) => ({
  event: 'contact.tag_added',
  conditions: { field: 'trigger.tag', operator: 'eq', value: tag },
})

/** Adds the tag, after removing it in case the contact has it. */
async function trigger(id: string, tag: string): Promise<void> {
  await setTags(id)
  await setTags(id, tag)
  await tick()
}

const entriesOf = (automation: string, query = '') => data(`/automations/${automation}/entries${query}`)
const outcomesOf = async (automation: string, query = '') =>
  (await entriesOf(automation, query)).map(({ outcome }) => outcome).toReversed()
const explain = async (automation: string, contact_id: string) =>
  (await agent.post(`/automations/${automation}/explain`, { contact_id })).body

test('every trigger event is recorded with its outcome: entered, or the reason why not', async () => {
  const id = await enabled({ triggers: [on('one')], steps: [waitStep('wait', 60)] })
  const ada = await contact()
  await trigger(ada, 'other')
  await trigger(ada, 'one')
  await trigger(ada, 'one')
  app.clock.advance(3_600_000)
  await tick()
  await trigger(ada, 'one')
  await agent.patch(`/contacts/${ada}`, { stage: 'TRASH' })
  await trigger(ada, 'one')
  await agent.patch(`/contacts/${ada}`, { stage: 'LEAD' })
  await agent.post(`/automations/${id}/disable`, {})
  await trigger(ada, 'one')
  expect(await outcomesOf(id)).toEqual([
    'condition',
    'entered',
    'active',
    're_enrollment',
    'trash',
    'disabled',
  ])
  const [enrollment] = await data(`/contacts/${ada}/enrollments`)
  const [condition, entered] = (await entriesOf(id)).toReversed()
  expect(condition).toMatchObject({
    version: 1,
    contact_id: ada,
    event: 'contact.tag_added',
    enrollment_id: null,
    triggers: [
      {
        index: 0,
        failing_conditions: [{ field: 'trigger.tag', operator: 'eq', expected: 'one', actual: 'other' }],
      },
    ],
  })
  expect(entered).toMatchObject({
    triggers: [],
    event_id: orNotFound(enrollment)['event_id'],
    enrollment_id: orNotFound(enrollment)['id'],
  })
  expect(await outcomesOf(id, '?outcome=trash')).toEqual(['trash'])
  expect(await outcomesOf(id, `?contact_id=${await contact()}`)).toEqual([])
  expect(await outcomesOf(id, `?contact_id=${ada}`)).toHaveLength(6)
})

test('failing conditions hide the values of the contact without contacts:read:pii', async () => {
  const id = await enabled({ triggers: [on('one')], steps: [tagStep('x')] })
  await trigger(await contact(), 'two')
  const reader = await emailing.workspace.credential('automations:read', 'contacts:read')
  const [entry] = (await reader.get(`/automations/${id}/entries`)).body['data']
  expect(entry.triggers[0].failing_conditions[0]).toMatchObject({ expected: 'one', actual: null })
})

test('erasing a contact clears its entries, and entries are deleted after 30 days', async () => {
  const id = await enabled({ triggers: [on('one')], steps: [tagStep('x')] })
  const ada = await contact()
  await trigger(ada, 'Ada of 12 Elm Street')
  await agent.delete(`/contacts/${ada}`)
  expect(await entriesOf(id)).toMatchObject([{ outcome: 'condition', triggers: [] }])
  app.clock.advance(30 * 86_400_000 - 60_000)
  await deleteOldEntries.handle(app.runtime)
  expect(await entriesOf(id)).toHaveLength(1)
  app.clock.advance(120_000)
  await deleteOldEntries.handle(app.runtime)
  expect(await entriesOf(id)).toEqual([])
})

test('a contact is in one automation of an exclusive group; another stays out or replaces it', async () => {
  const inGroup = (when_taken?: string) => ({
    exclusive_group: { name: 'nurture', ...(when_taken && { when_taken }) },
    triggers: [on('go')],
    steps: [waitStep('wait', 60)],
  })
  const first = await enabled({ ...inGroup(), triggers: [] })
  const staying = await enabled(inGroup())
  const { contact: ada, enrollment } = await enrolled(first)
  await tick()
  await trigger(ada, 'go')
  expect(await entriesOf(staying)).toMatchObject([{ outcome: 'group', enrollment_id: enrollment }])
  const rejected = await agent.post(`/automations/${staying}/enroll`, { contact_id: ada })
  expect([rejected.status, rejected.body['error'].code]).toEqual([409, 'exclusive_group_taken'])
  await agent.post(`/automations/${staying}/disable`, {})

  const replacing = await enabled(inGroup('replace'))
  await trigger(ada, 'go')
  expect((await agent.get(`/enrollments/${enrollment}`)).body).toMatchObject({
    status: 'exited',
    reason: 'replaced',
  })
  expect(await outcomesOf(replacing)).toEqual(['entered'])
  const again = await enabled({ ...inGroup('replace'), triggers: [] })
  expect((await agent.post(`/automations/${again}/enroll`, { contact_id: ada })).status).toBe(202)
  const active = (await data(`/contacts/${ada}/enrollments`)).filter(({ ended_at }) => ended_at === null)
  expect(active).toMatchObject([{ automation_id: again }])
  await agent.post(`/automations/${replacing}/disable`, {})
})

test('concurrent enrollments in an exclusive group leave one active', async () => {
  for (const when_taken of ['stay_out', 'replace']) {
    const definition = { exclusive_group: { name: when_taken, when_taken }, steps: [waitStep('wait', 60)] }
    const automations = await Promise.all([1, 2, 3, 4].map(() => enabled(definition)))
    const ada = await contact()
    const statuses = await Promise.all(
      automations.map(
        async (id) => (await agent.post(`/automations/${id}/enroll`, { contact_id: ada })).status,
      ),
    )
    expect(statuses.toSorted()).toEqual(
      when_taken === 'replace' ? [202, 202, 202, 202] : [202, 409, 409, 409],
    )
    const all = await data(`/contacts/${ada}/enrollments`)
    expect(all.filter(({ ended_at }) => ended_at === null)).toHaveLength(1)
  }
})

test('triggers enroll a contact at most 10 times a day; requests are not limited', async () => {
  const id = await enabled({
    triggers: [on('again')],
    re_enrollment: 'always',
    steps: [{ key: 'note', type: 'note', body: 'Again.' }],
  })
  const ada = await contact()
  for (let n = 0; n < 11; n++) await trigger(ada, 'again')
  expect(await outcomesOf(id)).toEqual([...Array.from({ length: 10 }, () => 'entered'), 'cap'])
  expect(await explain(id, ada)).toMatchObject({ would_enter: false, reasons: ['cap'] })
  expect((await agent.post(`/automations/${id}/enroll`, { contact_id: ada })).status).toBe(202)
  await tick()
  app.clock.advance(86_400_001)
  await trigger(ada, 'again')
  expect((await outcomesOf(id)).at(-1)).toBe('entered')
  await agent.post(`/automations/${id}/disable`, {})
})

test('max_per_hour limits the starts in any hour; the rest wait in order, and none is lost', async () => {
  const id = await enabled({
    triggers: [on('paced')],
    max_per_hour: 2,
    steps: [tagStep('begun')],
  })
  const people: string[] = []
  for (let n = 0; n < 5; n++) {
    people.push(await contact())
    await setTags(orNotFound(people.at(-1)), 'paced')
  }
  const begun = async () => {
    await tick()
    const all = await data(`/automations/${id}/enrollments`)
    return all
      .filter(({ status }) => status === 'completed')
      .map(({ contact_id }) => contact_id)
      .toReversed()
  }
  expect(await begun()).toEqual(people.slice(0, 2))
  app.clock.advance(3_599_000)
  expect(await begun()).toHaveLength(2)
  app.clock.advance(1000)
  expect(await begun()).toEqual(people.slice(0, 4))
  const requested = await enrolled(id)
  expect(await begun()).toContain(requested.contact)
  app.clock.advance(3_600_000)
  expect((await begun()).toSorted()).toEqual([...people, requested.contact].toSorted())
})

test('an automation cannot trigger itself or be triggered through more than five others', async () => {
  const ids: string[] = []
  for (let n = 0; n < 7; n++)
    ids.push(await enabled({ triggers: [on(`d${n}`)], steps: [tagStep(`d${n + 1}`)] }))
  const looping = await enabled({
    triggers: [on('loop')],
    re_enrollment: 'always',
    steps: [waitStep('wait', 1), { key: 'off', type: 'untag', tag: 'loop' }, tagStep('loop')],
  })
  const ada = await contact()
  await trigger(ada, 'd0')
  const last = await Promise.all(
    ids.map(async (id) => (await outcomesOf(id)).find((one) => one !== 'condition')),
  )
  expect(last).toEqual(['entered', 'entered', 'entered', 'entered', 'entered', 'entered', 'depth'])
  await trigger(ada, 'loop')
  app.clock.advance(60_000)
  await tick()
  expect((await outcomesOf(looping)).filter((one) => one !== 'condition')).toEqual(['entered', 'loop'])
})

test('an explanation lists every reason with the failing conditions, and writes nothing', async () => {
  const id = await enabled({
    triggers: [
      on('vip'),
      { event: 'lead.created', conditions: { field: 'lead.price', operator: 'gte', value: 400_000 } },
    ],
    steps: [waitStep('wait', 60)],
  })
  const ada = await contact()
  await setTags(ada, 'other')
  await tick()
  const rows = () =>
    asOwner<Json>(
      app.databaseUrl,
      'select (select count(*)::int from automation_entries) as entries, (select count(*)::int from enrollments) as enrollments',
    )
  const before = await rows()
  expect(await explain(id, ada)).toMatchObject({
    automation_id: id,
    version: 1,
    would_enter: false,
    reasons: ['condition'],
    triggers: [
      {
        event: 'contact.tag_added',
        event_id: expect.any(String),
        matches: false,
        failing_conditions: [{ field: 'trigger.tag', actual: 'other' }],
      },
      {
        event: 'lead.created',
        event_id: null,
        matches: false,
        failing_conditions: [{ field: 'lead.price', actual: null }],
      },
    ],
  })
  expect(await rows()).toEqual(before)
  await setTags(ada, 'vip')
  expect(await explain(id, ada)).toMatchObject({ would_enter: true, reasons: [] })
  await tick()
  const [enrollment] = await data(`/contacts/${ada}/enrollments`)
  await agent.post(`/automations/${id}/disable`, { running: 'finish' })
  expect(await explain(id, ada)).toMatchObject({
    reasons: ['disabled', 'active', 're_enrollment'],
    enrollment_id: orNotFound(enrollment)['id'],
  })
  const manual = await enabled({ steps: [tagStep('x')] })
  expect((await explain(manual, ada)).reasons).toEqual(['no_trigger'])
  const unknown = await agent.post(`/automations/${id}/explain`, { contact_id: 'cmi8h2k5p0001zq8r4t6w9x3y' })
  expect(unknown.status).toBe(404)
})
