import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventType } from '#kernel/events/event.ts'
import { readPages } from '#test/contract/lists.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const dayMs = 24 * 3_600_000

interface Shown {
  id: string
  event: string
  occurredAt: string
  data: { id: string }
}

const list = async (agent: Client, query = ''): Promise<Shown[]> =>
  (await agent.get(`/events${query}`)).body['data']

const namesIn = async (agent: Client, query = '') => (await list(agent, query)).map(({ event }) => event)

/** The events that the contract requires. */
const catalog = `
  contact.created contact.updated contact.stage_changed contact.tag_added lead.created lead.assigned
  message.received message.sent call.completed appointment.booked appointment.rescheduled appointment.outcome
  deal.stage_changed automation.run document.signed saved_search.sent`
  .trim()
  .split(/\s+/)

/** Events beyond the contract. */
const additional = [
  'contact.duplicate_found',
  'ai.handed_off',
  'appointment.updated',
  'automation.ended',
  'call.blocked',
  'call.cancelled',
  'call.updated',
  'campaign.status_changed',
  'listing.price_changed',
  'listing.status_changed',
  'task.completed',
  'task.created',
  'deal.created',
  'deal.updated',
  'lead.consent_revoked',
  'lead.offered',
  'lead.status_changed',
  'lead.waiting',
  'webhook.disabled',
  'webhook.test',
  'message.blocked',
  'message.cancelled',
  'message.delivered',
  'message.failed',
  'message.unknown',
]

test('every credential lists all public event types', async () => {
  for (const agent of [await app.credential(), await app.credential('listings:read')]) {
    const { status, body } = await agent.get('/event-types')
    expect([status, body['has_more'], body['next_cursor']]).toEqual([200, false, null])
    const types = body['data'] as { name: string }[]
    expect(types.map(({ name }) => name).sort()).toEqual([...catalog, ...additional].sort())
  }
})

test('an event type lists its scope, subject, summary, and an example that matches its schema', async () => {
  const { body } = await (await app.credential()).get('/event-types')
  for (const { id, name, scope, subject, data, example, summary } of body['data']) {
    const type = app.runtime.eventTypes.get(name)
    expect({ id, scope, subject, summary, example }).toEqual({
      id: name,
      scope: type?.scope,
      subject: type?.subject,
      summary: type?.summary,
      example: type?.example,
    })
    expect([...Compile(data as EventType['data']).Errors(example)], name).toEqual([])
  }
})

test('events are listed as webhooks deliver them, newest first', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id } = (await agent.post('/contacts', { first_name: 'Ada', phone: '+13125550123' })).body
  const at = app.clock.now().toISOString()
  app.clock.advance(1000)
  await agent.patch(`/contacts/${id}`, { stage: 'SPHERE', tags: ['a'] })
  const events = await list(agent)
  expect(events.map(({ event }) => event)).toEqual([
    'contact.tag_added',
    'contact.stage_changed',
    'contact.created',
  ])
  const [, , created] = events
  expect(created).toEqual({
    id: created?.id,
    event: 'contact.created',
    tenantId: workspace.id,
    occurredAt: at,
    data: {
      event_id: created?.id,
      occurred_at: at,
      id,
      stage: 'LEAD',
      owner_id: null,
      contact: {
        first_name: 'Ada',
        last_name: null,
        email: null,
        phone: '+1******0123',
        phone_e164: '+1******0123',
        phone_extension: null,
        address: null,
        timezone: null,
        source: null,
        tags: [],
        external_ids: [],
      },
    },
    created_at: at,
    updated_at: at,
  })
})

test('events are filtered by type and time', async () => {
  const agent = await app.credential()
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    app.clock.advance(1000)
    const { id } = (await agent.post('/contacts')).body
    await agent.patch(`/contacts/${id}`, { stage: 'SPHERE' })
    ids.unshift(id)
  }
  const now = app.clock.now().getTime()
  const of = async (query: string) => (await list(agent, query)).map(({ data }) => data.id)
  const since = (ms: number) => `since=${new Date(now + ms).toISOString()}`
  expect(await of('?type=contact.created')).toEqual(ids)
  expect(await of('?type=contact.updated')).toEqual([])
  expect(await of(`?type=contact.created&${since(-2000)}`)).toEqual(ids.slice(0, 3))
  expect(await of(`?type=contact.created&${since(-1999)}`)).toEqual(ids.slice(0, 2))
  expect(await of(`?${since(0)}`)).toEqual([ids[0], ids[0]])
  for (const later of [since(1), 'since=2100-01-01T00:00:00Z', 'since=9999-12-31T23:59:59Z'])
    expect(await of(`?${later}`)).toEqual([])
  for (const earlier of ['since=0001-01-01T00:00:00Z', 'since=2016-12-31T23:59:60Z'])
    expect(await of(`?${earlier}`)).toHaveLength(10)
  const page = (query: string) => agent.get(`/events?type=contact.stage_changed&${since(-3000)}&${query}`)
  expect((await readPages(page, 3)).map((rows) => rows.length)).toEqual([3, 1])
})

test('a credential lists only events that its scopes cover', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id } = (await agent.post('/contacts')).body
  await agent.post(`/contacts/${id}/notes`, { body: 'A note' })
  expect(await namesIn(agent)).toEqual(['contact.created'])
  expect(await namesIn(await workspace.credential('events:read', 'contacts:write'))).toEqual([
    'contact.created',
  ])
  const dealer = await workspace.credential('events:read', 'deals:read')
  expect(await namesIn(dealer)).toEqual([])
  expect(await dealer.get('/events?type=contact.created')).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope', details: [{ path: 'scope', message: 'contacts:read' }] } },
  })
})

test.each(['contact.create', 'note.added', 'contact.erased', 'Contact.created', 'nothing', ''])(
  'returns 400 for the unknown event type "%s"',
  async (type) => {
    const agent = await app.credential()
    const rejected = await agent.get(`/events?type=${type}`)
    expect(rejected).toMatchObject({
      status: 400,
      body: {
        error: { details: [{ path: 'type', message: expect.stringContaining(`"${type}" is not an event`) }] },
      },
    })
  },
)

test('events are listed for at most 30 days', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const first = (await agent.post('/contacts')).body['id']
  app.clock.advance(1)
  const second = (await agent.post('/contacts')).body['id']
  app.clock.advance(30 * dayMs - 1)
  const of = async (query: string) => (await list(agent, query)).map(({ data }) => data.id)
  for (const query of ['', '?since=2020-01-01T00:00:00Z', '?type=contact.created'])
    expect(await of(query)).toEqual([second, first])
  app.clock.advance(1)
  for (const query of ['', '?since=2020-01-01T00:00:00Z', '?type=contact.created'])
    expect(await of(query)).toEqual([second])
})

test('an erasure removes personal data from the journal', async () => {
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { first_name: 'Xanadu' })).body
  expect(JSON.stringify(await list(agent))).toContain('Xanadu')
  await agent.delete(`/contacts/${id}`)
  expect(await list(agent)).toMatchObject([{ event: 'contact.created', data: { id, stage: 'LEAD' } }])
  expect(JSON.stringify(await list(agent))).not.toContain('Xanadu')
})

test('events can be filtered by several names, record, contact, and time', async () => {
  const agent = await app.credential()
  const ada = (await agent.post('/contacts', { first_name: 'Ada' })).body['id'] as string
  app.clock.advance(60_000)
  const bo = (await agent.post('/contacts', { first_name: 'Bo' })).body['id'] as string
  await agent.patch(`/contacts/${bo}`, { stage: 'SPHERE' })
  const task = (await agent.post('/tasks', { title: 'Call Bo', contact_id: bo })).body['id'] as string
  const all = await list(agent)
  const named = all.filter(({ event }) => event !== 'contact.updated')
  const names = [...new Set(named.map(({ event }) => event))].join(',')
  expect(await list(agent, `?type=${names}`)).toEqual(named)
  expect(await list(agent, `?subject_id=${task}`)).toEqual(all.filter(({ data }) => data.id === task))
  expect(await list(agent, `?contact_id=${ada}`)).toEqual(all.filter(({ data }) => data.id === ada))
  expect(await list(agent, `?contact_id=${bo}`)).toEqual(all.filter(({ data }) => data.id !== ada))
  const first = all.at(-1)?.occurredAt ?? ''
  const after = new Date(Date.parse(first) + 1).toISOString()
  expect(await list(agent, `?before=${after}`)).toEqual(all.filter(({ occurredAt }) => occurredAt === first))
})

test('events of a contact do not show a masked credential which contact its lead belongs to', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const vendor = await workspace.credential('leads:write', 'events:read', 'contacts:read')
  const { id } = (await agent.post('/contacts', { phone: '3125550133' })).body
  await vendor.post('/leads', { source: 'Portal', phone: '3125550133', skip_routing: true })
  expect(await namesIn(agent, `?contact_id=${id}`)).toContain('lead.created')
  expect(await namesIn(vendor, `?contact_id=${id}`)).not.toContain('lead.created')
})

test('one event is what the list shows of it; without its scope it is a 403, after 30 days a 404', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await agent.post('/contacts', { first_name: 'Ada' })
  const [event] = await list(agent)
  const path = `/events/${event?.id}`
  expect(await agent.get(path)).toMatchObject({ status: 200, body: event })
  const reader = await workspace.credential('events:read', 'deals:read')
  expect(await reader.get(path)).toMatchObject({
    status: 403,
    body: { error: { code: 'insufficient_scope', details: [{ message: 'contacts:read' }] } },
  })
  expect((await (await app.credential()).get(path)).status).toBe(404)
  app.clock.advance(31 * dayMs)
  expect((await agent.get(path)).status).toBe(404)
})

test('an event shows its delivery to each webhook', async () => {
  const agent = await app.credential()
  const add = async (draft: object) =>
    (await agent.post('/webhooks', { url: 'https://hooks.example.com', ...draft })).body['id'] as string
  const hooks = [await add({}), await add({ event_types: ['contact.created'] })]
  await add({ event_types: ['deal.created'] })
  await agent.post('/contacts', { first_name: 'Ada' })
  const [event] = await list(agent)
  const { data } = (await agent.get(`/events/${event?.id}/deliveries`)).body
  expect(data.map(({ webhook_id }: { webhook_id: string }) => webhook_id).toSorted()).toEqual(
    hooks.toSorted(),
  )
  expect(data[0]).toMatchObject({ event_id: event?.id, event: 'contact.created', status: 'pending' })
})
