import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixtures } from '#test/support/all-fixtures.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { idOf, newPhone } from '#test/support/fixtures.ts'
import { endpoints } from '../../src/api.ts'
import { modules } from '../../src/modules/index.ts'

let app: TestApp
let admin: Client
let agent: Client
let own: string
let unseen: string
let agentId: string
let colleague: string
let pipeline: string
let unseenLead: string

beforeAll(async () => {
  app = await testApp()
  const workspace = await app.workspace()
  admin = await workspace.credential()
  ;({ id: agentId } = await workspace.member())
  ;({ id: colleague } = await workspace.member())
  agent = await workspace.keyFor(agentId)
  pipeline = (await admin.get('/pipelines')).body['data'][0].id
  own = idOf(await agent.post('/contacts', { first_name: 'Own', email: 'own@reyes.example' }))
  unseen = idOf(
    await admin.post('/contacts', {
      first_name: 'Unseen',
      email: 'unseen@reyes.example',
      owner_id: colleague,
    }),
  )
  unseenLead = idOf(await admin.post('/leads', { phone: '+13125550187', source: 'Web', skip_routing: true }))
})
afterAll(() => app[Symbol.asyncDispose]())

const day = '2026-04-01T15:00:00.000Z'
const calendar = '/calendar?from=2026-04-01T00:00:00Z&to=2026-04-02T00:00:00Z'

/** Records of the agent's own that name a colleague's client, as an admin makes them. */
const records: Record<string, () => Promise<{ path: string; body: object }>> = {
  'a deal’s parties': async () => ({
    path: '/deals',
    body: { name: 'Elm', contact_ids: [unseen, own], owner_id: agentId },
  }),
  'a deal’s participants': async () => ({
    path: '/deals',
    body: {
      name: 'Elm',
      contact_ids: [own],
      owner_id: agentId,
      participants: [{ role: 'lender', contact_id: unseen }],
    },
  }),
  'a deal’s lead': async () => ({
    path: '/deals',
    body: {
      name: 'Elm',
      contact_ids: [own],
      owner_id: agentId,
      lead_id: idOf(await admin.post('/leads', { phone: newPhone(), source: 'Website', skip_routing: true })),
    },
  }),
  'a deal’s first party': async () => ({
    path: '/deals',
    body: { name: 'Elm', contact_ids: [unseen], owner_id: agentId, inspection_date: day.slice(0, 10) },
  }),
  'a document’s signers': async () => ({
    path: '/documents',
    body: {
      template_id: 'envelope_kzvdqxdbhcmdzqsa',
      owner_id: agentId,
      signers: [{ contact_id: unseen, role: 'Buyer' }],
    },
  }),
  'a document’s deal': async () => ({
    path: '/documents',
    body: {
      template_id: 'envelope_kzvdqxdbhcmdzqsa',
      owner_id: agentId,
      deal_id: idOf(await admin.post('/deals', { name: 'Unseen', contact_ids: [unseen] })),
      signers: [{ contact_id: own, role: 'Buyer' }],
    },
  }),
  'an appointment’s contact': async () => ({
    path: '/appointments',
    body: {
      type: 'showing',
      title: 'Elm',
      starts_at: day,
      ends_at: '2026-04-01T16:00:00.000Z',
      host_id: agentId,
      contact_id: unseen,
    },
  }),
  'an appointment’s attendees': async () => ({
    path: '/appointments',
    body: {
      type: 'showing',
      title: 'Elm',
      starts_at: day,
      ends_at: '2026-04-01T16:00:00.000Z',
      host_id: agentId,
      attendees: [{ contact_id: unseen }, { contact_id: own }],
    },
  }),
  'a task’s contact': async () => ({
    path: '/tasks',
    body: { title: 'Call', assignee_id: agentId, contact_id: unseen, due_at: day },
  }),
  'a listing’s seller': async () => ({
    path: '/listings',
    body: {
      list_agent_id: agentId,
      list_price: 450_000,
      seller_contact_id: unseen,
      open_houses: [{ starts_at: day, ends_at: '2026-04-01T16:00:00.000Z' }],
    },
  }),
}

describe.each(Object.entries(records))('%s', (_, recordOf) => {
  test('are shown only as far as the reader can see them', async () => {
    const { path, body } = await recordOf()
    const hidden =
      Object.values(body).includes(unseen) || JSON.stringify(body).includes(unseen) ? unseen : undefined
    const id = idOf(await admin.post(path, body))
    const { deal_id, lead_id } = body as { deal_id?: string; lead_id?: string }
    const secret = hidden ?? deal_id ?? lead_id ?? ''
    expect(JSON.stringify((await admin.get(`${path}/${id}`)).body)).toContain(secret)
    for (const read of [
      `${path}/${id}`,
      path,
      '/events?limit=200',
      `/contacts/${own}/events`,
      calendar,
      `/pipelines/${pipeline}/board`,
    ]) {
      const { status, body: seen } = await agent.get(read)
      expect(status, read).toBe(200)
      expect(JSON.stringify(seen), read).not.toContain(secret)
    }
  })
})

test('the changes of a record are shown only as far as the reader can see what they name', async () => {
  const deal = idOf(await admin.post('/deals', { name: 'Elm', contact_ids: [own], owner_id: agentId }))
  const participants = [{ role: 'lender', contact_id: unseen }]
  await admin.patch(`/deals/${deal}`, { contact_ids: [own, unseen], participants })
  await admin.patch(`/deals/${deal}`, { contact_ids: [own], participants: [] })
  for (const read of ['/events?limit=200', `/contacts/${own}/events`]) {
    expect(JSON.stringify((await admin.get(read)).body)).toContain(unseen)
    const { body } = await agent.get(read)
    expect(JSON.stringify(body)).toContain('"field":"contact_ids"')
    expect(JSON.stringify(body)).not.toContain(unseen)
  }
})

test('a timeline shows that a colleague’s deal changed, and neither which nor from what to what', async () => {
  const { body: deal } = await admin.post('/deals', { name: 'Oak', contact_ids: [own], owner_id: colleague })
  const id = String(deal['id'])
  await admin.patch(`/deals/${id}`, { price: 731_003 })
  const path = `/contacts/${own}/events?limit=100`
  const all = JSON.stringify((await admin.get(path)).body)
  for (const secret of [id, '731003']) expect(all).toContain(secret)
  const { body } = await agent.get(path)
  for (const secret of [id, '731003']) expect(JSON.stringify(body)).not.toContain(secret)
  expect(body['data']).toContainEqual(
    expect.objectContaining({
      subject: { type: 'deal', id: null },
      changes: [{ field: 'price', from: null, to: null }],
    }),
  )
})

test('a change is shown only as far as the reader can see what was set and what it replaced', async () => {
  const deal = idOf(await admin.post('/deals', { name: 'Elm', contact_ids: [own], owner_id: agentId }))
  const showing = idOf(
    await admin.post('/appointments', {
      type: 'showing',
      title: 'Elm',
      starts_at: day,
      ends_at: '2026-04-01T16:00:00.000Z',
      host_id: agentId,
      contact_id: own,
    }),
  )
  const changes = [
    [`/deals/${deal}`, { contact_ids: [own, unseen], lead_id: unseenLead }],
    [`/deals/${deal}`, { participants: [{ role: 'lender', contact_id: unseen }] }],
    [`/deals/${deal}`, { contact_ids: [own], lead_id: null, participants: [] }],
    [`/appointments/${showing}`, { attendees: [{ contact_id: unseen }] }],
  ] as const
  for (const [path, patch] of changes) expect((await admin.patch(path, patch)).status).toBe(200)
  for (const read of ['/events', `/contacts/${own}/events`]) {
    const text = async (client: Client) => JSON.stringify((await client.get(`${read}?limit=100`)).body)
    expect(await text(admin), read).toContain(unseen)
    expect(await text(agent), read).not.toContain(unseen)
    expect(await text(agent), read).not.toContain(unseenLead)
  }
})

test.each([
  ['/tasks', { title: 'Call' }, 'assignee_id', 'contact_id', () => unseen],
  ['/tasks', { title: 'Call' }, 'assignee_id', 'deal_id', () => unseenDeal()],
  ['/deals', { name: 'Elm' }, 'owner_id', 'lead_id', () => unseenLead],
  ['/listings', { list_price: 1 }, 'list_agent_id', 'seller_contact_id', () => unseen],
  [
    '/appointments',
    { type: 'showing', title: 'Elm', starts_at: day, ends_at: '2026-04-01T16:00:00.000Z' },
    'host_id',
    'contact_id',
    () => unseen,
  ],
  [
    '/appointments',
    { type: 'showing', title: 'Elm', starts_at: day, ends_at: '2026-04-01T16:00:00.000Z' },
    'host_id',
    'deal_id',
    () => unseenDeal(),
  ],
] as const)(
  'sending back what one sees keeps what is withheld, at %s',
  async (path, draft, owner, field, set) => {
    const value = await set()
    const id = idOf(await admin.post(path, { ...draft, [owner]: agentId, [field]: value }))
    const seen = (await agent.get(`${path}/${id}`)).body
    expect(seen[field]).toBeNull()
    expect((await agent.patch(`${path}/${id}`, { [field]: null })).status).toBe(200)
    expect((await admin.get(`${path}/${id}`)).body[field]).toBe(value)
    expect((await admin.patch(`${path}/${id}`, { [field]: null })).body[field]).toBeNull()
  },
)

test.each([
  [
    '/deals',
    'participants',
    () => ({ name: 'Elm', owner_id: agentId, participants: [{ role: 'lender', contact_id: unseen }] }),
  ],
  [
    '/appointments',
    'attendees',
    () => ({
      type: 'showing',
      title: 'Elm',
      starts_at: day,
      ends_at: '2026-04-01T16:00:00.000Z',
      host_id: agentId,
      attendees: [{ contact_id: unseen }, { contact_id: own }],
    }),
  ],
] as const)(
  'sending back a list of which one sees a part changes nothing, at %s %s',
  async (path, field, draft) => {
    const body = draft()
    const id = idOf(await admin.post(path, body))
    const seen = (await agent.get(`${path}/${id}`)).body
    expect((await agent.patch(`${path}/${id}`, { [field]: seen[field] })).status).toBe(200)
    expect((await admin.get(`${path}/${id}`)).body).toMatchObject({
      [field]: (body as Record<string, unknown>)[field],
    })
  },
)

const unseenDeal = async () => idOf(await admin.post('/deals', { name: 'Unseen' }))

test('a change to a list by someone who sees only part of it keeps the rest in place', async () => {
  const deal = idOf(
    await admin.post('/deals', {
      name: 'Elm',
      contact_ids: [unseen, own],
      owner_id: agentId,
      participants: [{ role: 'lender', contact_id: unseen }],
    }),
  )
  const seen = (await agent.get(`/deals/${deal}`)).body
  expect(seen).toMatchObject({ contact_id: null, contact_ids: [own] })
  const { status, body } = await agent.patch(`/deals/${deal}`, {
    contact_ids: seen['contact_ids'],
    participants: [{ role: 'inspector', contact_id: own }],
  })
  expect(status).toBe(200)
  expect(JSON.stringify(body)).not.toContain(unseen)
  expect((await admin.get(`/deals/${deal}`)).body).toMatchObject({
    contact_ids: [unseen, own],
    participants: [{ contact_id: unseen }, { contact_id: own }],
  })
})

test('a response to a request with an Idempotency-Key shows a contact that the request created', async () => {
  const lead = await agent.post(
    '/leads',
    { first_name: 'New', phone: '+13125550143', source: 'Website' },
    { 'idempotency-key': 'new' },
  )
  expect(lead.status).toBe(201)
  const again = await admin.get(`/leads/${idOf(lead)}`)
  const { owner_id } = (await admin.get(`/contacts/${again.body['contact_id']}`)).body
  expect(lead.body['contact_id']).toBe(owner_id === agentId ? again.body['contact_id'] : null)
})

test('whatever has an owner and is named in responses or events is withheld from those who cannot see it', () => {
  const nouns = (schema: unknown): string[] =>
    typeof schema === 'object' && schema !== null
      ? Object.entries(schema).flatMap(([name, value]) => (name === 'x-references' ? [value] : nouns(value)))
      : []
  const events = modules.flatMap(({ events: all = [] }) => all.map(({ data }) => data))
  const named = new Set(nouns([...endpoints.map(({ responses }) => responses), ...events]))
  const withOwner = Object.keys(fixtures.owners).map((path) => path.slice(1, path.indexOf('s/')))
  const withheld = new Set(modules.flatMap(({ reachable = {} }) => Object.keys(reachable)))
  expect(withOwner.filter((noun) => named.has(noun) && !withheld.has(noun))).toEqual([])
})
