import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { forgetDue, runDue } from '#test/scenes/engine.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { planOf } from '#test/support/plan-of.ts'
import { startTexting } from '#test/support/texting.ts'
import { listKnownPoints } from './queries.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client

// A Monday, 10 am in Chicago.
const morning = '2026-03-02T16:00:00.000Z'
const minute = 60_000

beforeAll(async () => {
  app = await testApp({ role: 'api', now: morning })
  await forgetDue(app)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace('Lantern & Oak')
  agent = await workspace.credential()
})

const tagging = { steps: [{ key: 'a', type: 'tag', tag: 'a' }] }
const inbound = { field: 'contact.source', operator: 'eq', value: 'Expo' }

async function enabled(definition: object = tagging): Promise<string> {
  const id = idOf(await agent.post('/automations', { name: 'Expo', definition }))
  await agent.post(`/automations/${id}/publish`)
  await agent.post(`/automations/${id}/enable`)
  return id
}

const contact = async (more: object = {}) => idOf(await agent.post('/contacts', { source: 'Expo', ...more }))

async function contacts(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.push(await contact())
  return ids
}

const backfill = async (automation: string, more: object = {}) =>
  idOf(await agent.post(`/automations/${automation}/backfills`, { conditions: inbound, ...more }))

const progress = async (id: string) => (await agent.get(`/backfills/${id}`)).body

const entries = (automation: string) =>
  asOwner<{ contact_id: string; created_at: Date; source: string }>(
    app.databaseUrl,
    'select contact_id, created_at, source from enrollments where automation_id = $1 order by created_at, id',
    [automation],
  )

/** Advances the clock in steps, and runs what is due after each. */
async function pass(minutes: number, step = 1): Promise<void> {
  for (let n = 0; n < minutes; n += step) {
    app.clock.advance(step * minute)
    await runDue(app)
  }
}

test('a backfill enrolls each existing contact once, spread evenly over the hour', async () => {
  const automation = await enabled()
  const here = await contacts(5)
  await contact({ source: 'Website' })
  const began = app.clock.now()
  const id = await backfill(automation, { per_hour: 30 })
  app.clock.advance(1)
  await contact()
  await runDue(app)
  expect(await progress(id)).toMatchObject({
    status: 'running',
    frozen_at: expect.any(String),
    counts: { waiting: 4, entered: 1, left_out: {} },
  })
  await pass(12)
  const entered = await entries(automation)
  expect(entered.map(({ contact_id }) => contact_id)).toEqual(here)
  expect(
    entered.map(({ created_at }) => Math.round((created_at.getTime() - began.getTime()) / minute)),
  ).toEqual([0, 2, 4, 6, 8])
  expect(entered[0]?.source).toBe('backfill')
  expect(await progress(id)).toMatchObject({
    status: 'completed',
    counts: { waiting: 0, entered: 5, left_out: {} },
  })
})

test('a paused backfill counts its contacts, and enrolls no one until it runs', async () => {
  const automation = await enabled()
  await contacts(3)
  const created = await agent.post(`/automations/${automation}/backfills`, {
    conditions: inbound,
    status: 'paused',
  })
  expect(created.body).toMatchObject({ status: 'paused', frozen_at: null })
  const id = idOf(created)
  await pass(2)
  const counted = { frozen_at: expect.any(String), counts: { waiting: 3, entered: 0, left_out: {} } }
  expect(await progress(id)).toMatchObject({ status: 'paused', ...counted })
  await contact()
  await agent.patch(`/backfills/${id}`, { status: 'running' })
  await pass(90, 10)
  expect(await progress(id)).toMatchObject({ status: 'completed', counts: { entered: 3 } })
})

test('a backfill does not catch up after a pause or an outage', async () => {
  const automation = await enabled()
  await contacts(6)
  const id = await backfill(automation, { per_hour: 60 })
  await runDue(app)
  await pass(1)
  expect((await agent.patch(`/backfills/${id}`, { status: 'paused' })).body).toMatchObject({
    status: 'paused',
  })
  await pass(30)
  expect(await entries(automation)).toHaveLength(2)
  await agent.patch(`/backfills/${id}`, { status: 'running' })
  await runDue(app)
  expect(await entries(automation)).toHaveLength(3)
  // No engine runs for an hour.
  app.clock.advance(60 * minute)
  await runDue(app)
  expect(await entries(automation)).toHaveLength(4)
  await pass(1)
  expect(await entries(automation)).toHaveLength(5)
})

test('cancelling a backfill leaves out waiting contacts, and it cannot resume', async () => {
  const automation = await enabled()
  await contacts(3)
  const id = await backfill(automation)
  await runDue(app)
  expect((await agent.patch(`/backfills/${id}`, { status: 'cancelled' })).body).toMatchObject({
    status: 'cancelled',
    counts: { waiting: 0, entered: 1, left_out: { cancelled: 2 } },
  })
  await pass(60, 30)
  expect(await entries(automation)).toHaveLength(1)
  const again = await agent.patch(`/backfills/${id}`, { status: 'running' })
  expect([again.status, again.body['error']['code']]).toEqual([409, 'backfill_ended'])
})

test('active, ineligible, erased, and trashed contacts are left out with the reason', async () => {
  const automation = await enabled({ steps: [{ key: 'w', type: 'wait', for: { days: 9 } }] })
  const [active = '', before = '', free = '', erased = '', trash = ''] = await contacts(5)
  await agent.post(`/automations/${automation}/enroll`, { contact_id: active })
  const { body } = await agent.post(`/automations/${automation}/enroll`, { contact_id: before })
  await agent.patch(`/enrollments/${body['id']}`, { status: 'cancelled' })
  const id = await backfill(automation, { per_hour: 10_000 })
  // The first contact who may enter does; the next turn comes after 360 ms.
  await runDue(app)
  await agent.delete(`/contacts/${erased}`)
  await agent.patch(`/contacts/${trash}`, { stage: 'TRASH' })
  await pass(1)
  expect(await progress(id)).toMatchObject({
    status: 'completed',
    counts: { entered: 1, left_out: { active: 1, erased: 1, re_enrollment: 1, trash: 1 } },
  })
  const { body: list } = await agent.get(`/backfills/${id}/contacts?status=entered`)
  expect(list['data']).toMatchObject([{ contact_id: free, enrollment_id: expect.any(String) }])
})

test('a contact whose enrollment throws is left out, and does not hold up the others', async () => {
  const automation = await enabled()
  const [bad = '', good] = await contacts(2)
  await agent.post(`/automations/${automation}/enroll`, { contact_id: bad })
  await runDue(app)
  await asOwner(
    app.databaseUrl,
    'update automation_versions set definition = definition::jsonb || \'{"re_enrollment": null}\' where automation_id = $1',
    [automation],
  )
  const id = await backfill(automation)
  await pass(5)
  expect((await entries(automation)).map(({ contact_id }) => contact_id)).toEqual([bad, good])
  expect(await progress(id)).toMatchObject({
    status: 'completed',
    counts: { waiting: 0, entered: 1, left_out: { error: 1 } },
  })
})

test('disabling the automation pauses its backfill and blocks new ones', async () => {
  const automation = await enabled()
  await contacts(2)
  const id = await backfill(automation)
  await runDue(app)
  await agent.post(`/automations/${automation}/disable`, {})
  await pass(60, 30)
  expect(await progress(id)).toMatchObject({ status: 'paused', reason: 'automation_disabled' })
  const another = await agent.post(`/automations/${automation}/backfills`, { conditions: inbound })
  expect([another.status, another.body['error']['code']]).toEqual([409, 'automation_disabled'])
})

test('concurrent engines enroll each contact once', async () => {
  const automation = await enabled()
  const here = await contacts(8)
  await backfill(automation, { per_hour: 10_000 })
  for (let n = 0; n < 30; n++) {
    await Promise.all([runDue(app), runDue(app), runDue(app)])
    app.clock.advance(500)
  }
  expect((await entries(automation)).map(({ contact_id }) => contact_id).toSorted()).toEqual(here.toSorted())
})

test('contacts in quiet hours enter in the morning, at the pace of the backfill', async () => {
  const texting = await startTexting(app)
  agent = texting.agent
  const automation = await enabled({ steps: [{ key: 's', type: 'send', channel: 'sms', body: 'Hi.' }] })
  const phones = ['+13125550151', '+13125550152', '+13125550153', '+13125550154']
  for (const phone of phones) await texting.lead(phone)
  const evening = new Date('2026-03-03T03:30:00.000Z')
  app.clock.set(evening)
  const conditions = { field: 'contact.source', operator: 'eq', value: 'Website' }
  const id = await backfill(automation, { conditions, per_hour: 4 })
  await runDue(app)
  expect(await entries(automation)).toEqual([])
  app.clock.set('2026-03-03T13:59:00.000Z')
  await runDue(app)
  expect(await progress(id)).toMatchObject({ counts: { waiting: 4, entered: 0 } })
  await pass(61)
  const minutes = (await entries(automation)).map(({ created_at }) => created_at.toISOString().slice(11, 16))
  expect(minutes).toEqual(['14:00', '14:15', '14:30', '14:45'])
})

test('invalid condition fields are rejected, and a member backfills only their own contacts', async () => {
  const automation = await enabled()
  for (const field of ['contact.stag', 'trigger.tag', 'context.campaign', 'event.id']) {
    const wrong = await agent.post(`/automations/${automation}/backfills`, {
      conditions: { field, operator: 'neq', value: 'LEAD' },
    })
    expect([wrong.status, wrong.body['error']['details'][0].path]).toEqual([400, 'conditions.field'])
  }

  const member = await workspace.member()
  const own = await contact({ owner_id: member.id })
  await contact()
  const limited = await workspace.keyFor(member.id)
  const id = idOf(await limited.post(`/automations/${automation}/backfills`, { conditions: { all: [] } }))
  await runDue(app)
  await pass(60, 30)
  expect((await entries(automation)).map(({ contact_id }) => contact_id)).toEqual([own])
  expect((await progress(id))['counts']).toMatchObject({ entered: 1, waiting: 0 })
})

test('a snapshot looks up known phone numbers and addresses with an index', async () => {
  const plan = await planOf((db) => listKnownPoints(db, ['a', 'b']))
  expect(plan).toMatch(/Index (Only )?Scan using backfill_contacts_points/)
})

test('a member can change a backfill of their own contacts, but no other backfill', async () => {
  const automation = await enabled()
  const [one, other] = [await workspace.member(), await workspace.member()]
  const whole = await backfill(automation)
  const [own, foreign] = [await workspace.keyFor(one.id), await workspace.keyFor(other.id)]
  const ownBackfill = idOf(await own.post(`/automations/${automation}/backfills`, { conditions: inbound }))
  const statusOf = async (client: Client, id: string, body: object) =>
    (await client.patch(`/backfills/${id}`, body)).status
  for (const body of [{ status: 'cancelled' }, { status: 'paused' }, { per_hour: 9000 }]) {
    expect(await statusOf(own, whole, body)).toBe(404)
    expect(await statusOf(foreign, ownBackfill, body)).toBe(404)
  }
  expect(await progress(whole)).toMatchObject({ status: 'running', per_hour: 200 })
  expect(await statusOf(own, ownBackfill, { status: 'paused' })).toBe(200)
  expect(await statusOf(agent, ownBackfill, { status: 'cancelled' })).toBe(200)
})
