import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client, Response } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { bodyFor, listFixture, pathTo, pathToNew, takesId } from '../../../test/contract/requests.ts'
import { endpoints } from '../../api.ts'
import { createApiKey } from './api-keys.ts'
import { expanded } from './scopes.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const scopes = [
  'contacts:write',
  'contacts:read:pii',
  'leads:write',
  'events:read',
  'messages:send_only',
  'webhooks:manage',
]
const person = { phone: '+13125550123', email: 'ada@reyes.example' }
const lead = { ...person, source: 'Website', source_ref: 'form-1' }
const hook = { url: 'https://hooks.example.com/gable' }

const idsIn = ({ body }: Response): string[] => body['data'].map(({ id }: { id: string }) => id)

test('the key sees the contacts that it made and the leads that it captured, wherever records are listed', async () => {
  const workspace = await app.workspace()
  const [all, key, other] = [
    await workspace.credential(),
    await workspace.creator(...scopes),
    await workspace.creator(...scopes),
  ]
  const theirs = [
    await all.post('/contacts', { ...person, first_name: 'Ada', tags: ['buyer'] }),
    await all.post('/leads', lead),
    await other.post('/contacts', { first_name: 'Ada', tags: ['buyer'] }),
    await other.post('/leads', lead),
  ].map(idOf)
  const contact = idOf(await key.post('/contacts', { ...person, first_name: 'Ada', tags: ['buyer'] }))
  const captured = await key.post('/leads', lead)
  expect(captured).toMatchObject({ status: 201, body: { status: 'new', contact_id: null, routing: null } })
  const own = idOf(captured)
  for (const [path, id] of [
    ['/contacts', contact],
    ['/contacts?q=ada', contact],
    ['/contacts?tag=buyer', contact],
    [`/contacts?phone=${encodeURIComponent(person.phone)}`, contact],
    [`/contacts?ids=${[contact, ...theirs].join(',')}`, contact],
    ['/leads', own],
    [`/leads?ids=${[own, ...theirs].join(',')}`, own],
  ] as const)
    expect([path, ...idsIn(await key.get(path))]).toEqual([path, id])
  for (const noun of ['contacts', 'leads'])
    expect((await key.get(`/${noun}/count`)).body).toEqual({ count: 1, exact: true })
  for (const id of theirs)
    for (const noun of ['contacts', 'leads']) expect((await key.get(`/${noun}/${id}`)).status).toBe(404)
  expect((await key.get(`/leads/${own}`)).body).toEqual(captured.body)
  expect((await key.patch(`/leads/${own}`, { status: 'contacted' })).body).toMatchObject(person)
  expect((await key.get(`/leads/${own}/routing`)).status).toBe(403)
  expect((await key.get(`/leads?contact_id=${contact}`)).status).toBe(403)
  const named = await all.get(`/leads/${own}`)
  expect([named.body['status'], typeof named.body['contact_id']]).toEqual(['contacted', 'string'])
  await all.patch(`/contacts/${contact}`, { stage: 'ACTIVE_CLIENT' })
  await all.post(`/contacts/${contact}/notes`, { body: 'Call her in May.' })
  const { data } = (await key.get('/events')).body
  expect(data.map(({ event }: { event: string }) => event)).toEqual(['lead.created', 'contact.created'])
  expect((await key.get(`/contacts/${contact}/events`)).body['data']).toMatchObject([
    { title: 'Contact created' },
  ])
  expect((await key.post('/contacts/batch', { items: [{ first_name: 'Bo' }] })).body['results']).toHaveLength(
    1,
  )
  expect(idsIn(await key.get('/contacts'))).toHaveLength(2)
})

test('the key manages its own webhooks, which receive the events that it causes', async () => {
  const workspace = await app.workspace()
  const [all, key] = [await workspace.credential(), await workspace.creator(...scopes)]
  const theirs = idOf(await all.post('/webhooks', hook))
  const own = idOf(await key.post('/webhooks', hook))
  expect(idsIn(await key.get('/webhooks'))).toEqual([own])
  expect((await key.get(`/webhooks/${theirs}`)).status).toBe(404)
  expect((await key.get(`/webhooks/${theirs}/deliveries`)).status).toBe(404)
  expect((await key.patch(`/webhooks/${theirs}`, { paused: true })).status).toBe(404)
  expect((await key.delete(`/webhooks/${theirs}`)).status).toBe(404)
  await all.post('/contacts', person)
  await key.post('/contacts', { first_name: 'Bo' })
  await key.post('/leads', lead)
  const eventsOf = async (id: string) =>
    (await all.get(`/webhooks/${id}/deliveries`)).body['data'].map(({ event }: { event: string }) => event)
  expect(await eventsOf(own)).toEqual(['lead.created', 'contact.created'])
  expect(await eventsOf(theirs)).toEqual(expect.arrayContaining(['lead.waiting', 'contact.created']))
  expect(idsIn(await all.get('/webhooks'))).toEqual([own, theirs])
})

const held = expanded(scopes)
const usable = endpoints.filter(
  ({ scope, sufficientScope }) => held.has(scope) || held.has(sufficientScope ?? scope),
)

describe.each(usable.filter(takesId))('$method $path', (endpoint) => {
  test('responds to the key about what others made as about an unknown ID', async () => {
    const workspace = await app.workspace()
    const [all, key] = [await workspace.credential(), await workspace.creator(...scopes)]
    const send = async (path: string) => {
      const { status, body } = await key.request(endpoint.method, path, { body: bodyFor(endpoint) })
      return [status, { ...body['error'], request_id: '' }]
    }
    const unknown = await send(pathTo(endpoint, newId(app.clock.now())))
    expect(await send(await pathToNew(endpoint, all))).toEqual(unknown)
    expect([403, 404]).toContain(unknown[0])
  })
})

test.each(usable.filter((one) => one.list !== undefined && !takesId(one)))(
  'GET $path shows the key nothing that others made',
  async ({ path }) => {
    const workspace = await app.workspace()
    const [all, key] = [await workspace.credential(), await workspace.creator(...scopes)]
    const { parent, insert } = listFixture(path)
    await insert(all, (await parent?.(all)) ?? '')
    expect(idsIn(await all.get(path))).not.toEqual([])
    expect(idsIn(await key.get(path))).toEqual([])
  },
)

/** Everything that the key can ask after it has made a contact, captured a lead, and sent messages with one number. */
async function everythingSeen(isKnown: boolean): Promise<unknown[]> {
  app.clock.set('2026-03-02T15:00:00Z')
  const workspace: TestWorkspace = await app.workspace()
  await readyToSend(workspace)
  const all = await workspace.credential()
  const owner = await workspace.member()
  const consent = {
    captured_at: '2026-01-02T15:00:00Z',
    source_url: 'https://lanternandoak.example/valuation',
  }
  // In both, the number has consented, so that messages to it leave.
  const consented = await all.post('/leads', { ...person, source: 'Fair', skip_routing: true, consent })
  const { contact_id } = (await all.get(`/leads/${idOf(consented)}`)).body
  const external_ids = [{ system: 'crm', id: person.email }]
  if (isKnown)
    await all.patch(`/contacts/${contact_id}`, {
      external_ids,
      owner_id: owner.id,
      tags: ['buyer'],
      stage: 'ACTIVE_CLIENT',
    })
  else await all.patch(`/contacts/${contact_id}`, { phone: '+13125550199', email: null })
  const key: Client = await workspace.creator(...scopes)
  const webhook = idOf(await key.post('/webhooks', hook))
  app.clock.advance(60_000)
  const text = { channel: 'sms', to: person.phone, body: 'See you on Saturday.' }
  const contact = await key.post('/contacts', { first_name: 'Ada', phone: person.phone })
  const id = idOf(contact)
  const steps: Response[] = [
    contact,
    await key.post('/leads', { ...lead, context: { street: '48 Alder Court', city: 'Chicago' } }),
    await key.post('/leads', lead),
    await key.post('/leads/batch', { items: [lead, { ...lead, source_ref: 'form-2' }] }),
    await key.post('/messages', text),
    await key.post('/messages', { ...text, contact_id: id }),
    await key.patch(`/contacts/${id}`, { email: person.email }),
    await key.post('/contacts?upsert=external_id', { external_ids, last_name: 'Reyes' }),
    await key.patch(`/contacts/${id}`, { external_ids }),
    await key.post('/contacts/batch?upsert=external_id', { items: [{ external_ids, first_name: 'Ada' }] }),
  ]
  for (const path of [
    `/contacts/${id}`,
    '/contacts',
    `/contacts?email=${person.email}`,
    `/contacts?phone=${encodeURIComponent(person.phone)}`,
    `/contacts/${id}/events`,
    `/contacts/${id}/notes`,
    '/contacts/count',
    '/leads',
    '/leads/count',
    '/events',
    `/events?contact_id=${id}`,
    `/webhooks/${webhook}/deliveries`,
  ])
    steps.push(await key.get(path))
  return steps.map(({ status, body }) =>
    JSON.parse(
      JSON.stringify([status, body], (name, value) =>
        ['request_id', 'reason', 'reasons', 'message', 'retry_at'].includes(name) ? '' : value,
      ).replaceAll(/\bc[a-z0-9]{24}\b/g, 'id'),
    ),
  )
}

test('what the key does with a number looks the same whether the person was known or not', async () => {
  expect(await everythingSeen(true)).toEqual(await everythingSeen(false))
})

test('the key takes scopes whose records say who created them, and acts for no member', async () => {
  const { ctx, member } = await app.workspace()
  const create = (more: object) =>
    createApiKey(ctx, { name: 'Portal', scopes: ['leads:write'], created_by_self: true, ...more })
  expect((await create({})).row).toMatchObject({ created_by_self: true })
  await expect(create({ scopes: ['leads:write', 'messages:send'] })).rejects.toMatchObject({
    body: {
      details: [
        {
          path: 'scopes',
          message: 'cannot include messages:send with created_by_self. To send, use messages:send_only.',
        },
      ],
    },
  })
  await expect(create({ scopes: ['compliance:read', 'deals:read'] })).rejects.toMatchObject({
    body: { details: [{ path: 'scopes' }] },
  })
  await expect(create({ member_id: (await member()).id })).rejects.toMatchObject({
    body: { details: [{ path: 'member_id', message: 'cannot be set with created_by_self' }] },
  })
})
