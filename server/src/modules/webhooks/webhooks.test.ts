import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, testApp, towardsLoopback } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, fingerprint, freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const url = 'https://hooks.example.com/gable'

const subscribe = async (agent: Client, draft: object = {}): Promise<string> =>
  (await agent.post('/webhooks', { url, ...draft })).body['id']

const errorBody = (code: string, status: number, details: object[]) => ({
  status,
  body: { error: { code, details } },
})
const lacksScope = (scope: string) =>
  errorBody('insufficient_scope', 403, [{ path: 'scope', message: scope }])

test('a webhook stores the submitted fields and the caller’s scopes, including implied ones', async () => {
  const agent = await app.credential('webhooks:manage', 'contacts:write')
  const draft = { url, event_types: ['contact.updated', 'contact.created'], description: 'CRM mirror' }
  const { status, body } = await agent.post('/webhooks', draft)
  const now = app.clock.now().toISOString()
  const { secret, ...webhook } = body
  expect([status, secret]).toEqual([201, expect.stringMatching(/^whsec_/)])
  expect(webhook).toEqual({
    ...draft,
    id: expect.stringMatching(/^c[a-z0-9]{24}$/),
    scopes: ['contacts:read', 'contacts:write', 'webhooks:manage'],
    status: 'active',
    paused: false,
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
    previous_secret_until: null,
    created_at: now,
    updated_at: now,
  })
  expect((await agent.get(`/webhooks/${body['id']}`)).body).toEqual(webhook)
  expect((await agent.get('/webhooks')).body['data']).toEqual([webhook])
})

test('missing or empty event types mean all events; duplicates are dropped', async () => {
  const agent = await app.credential()
  const namesFor = async (draft: object) =>
    (await agent.post('/webhooks', { url, ...draft })).body['event_types']
  expect(await namesFor({})).toEqual([])
  expect(await namesFor({ event_types: [] })).toEqual([])
  const names = ['deal.stage_changed', 'call.completed', 'deal.stage_changed']
  expect(await namesFor({ event_types: names })).toEqual(['deal.stage_changed', 'call.completed'])
})

const noEvents = [
  'contact.create',
  'contact.created',
  'Lead.created',
  'whatever',
  'note.added',
  'webhook.remove',
  '',
]
const noEventFaults = [
  { path: 'event_types.0', message: '"contact.create" is not an event; did you mean contact.created?' },
  { path: 'event_types.2', message: '"Lead.created" is not an event; did you mean lead.created?' },
  ...['whatever', 'note.added', 'webhook.remove', ''].map((name, i) => ({
    path: `event_types.${i + 3}`,
    message: `"${name}" is not an event`,
  })),
]

test('each unknown or internal event is rejected, with a suggestion if one is close', async () => {
  const agent = await app.credential()
  const id = await subscribe(agent)
  const before = await fingerprint(app.databaseUrl)
  const rejected = errorBody('validation_failed', 400, noEventFaults)
  expect(await agent.post('/webhooks', { url, event_types: noEvents })).toMatchObject(rejected)
  expect(await agent.patch(`/webhooks/${id}`, { event_types: noEvents })).toMatchObject(rejected)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test('rejects an event outside the webhook’s scopes and names the missing scope', async () => {
  const workspace = await app.workspace()
  const clerk = await workspace.credential('webhooks:manage', 'contacts:read')
  const agent = await workspace.credential()
  const id = await subscribe(clerk)
  const before = await fingerprint(app.databaseUrl)
  const event_types = ['contact.created', 'deal.stage_changed']
  const rejected = lacksScope('deals:read')
  expect(await clerk.post('/webhooks', { url, event_types })).toMatchObject(rejected)
  expect(await clerk.patch(`/webhooks/${id}`, { event_types })).toMatchObject(rejected)
  // The scopes of the webhook count, not those of the credential that changes it.
  expect(await agent.patch(`/webhooks/${id}`, { event_types })).toMatchObject(rejected)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test.each([
  ['http://hooks.example.com/', 'use https://'],
  ['ftp://hooks.example.com/', 'does not begin with https://'],
  ['hooks.example.com', 'does not begin with https://'],
  ['https://', 'not valid'],
  ['https://ada:secret@hooks.example.com/', 'a user name or a password'],
  ['https://hooks.example.com/#top', 'a fragment'],
  ['https://localhost/', 'not public'],
  ['https://gable.internal/', 'not public'],
  ['https://127.0.0.1/', 'not public'],
  ['https://10.1.2.3/', 'not public'],
  ['https://169.254.169.254/latest/meta-data', 'not public'],
  ['https://[::1]/', 'not public'],
  ['https://0x7f.1/', 'not public'],
  ['https://n8n:5678/', 'not public'],
  ['https://hooks.example.com:0/', 'not valid'],
])('rejects the URL %s: %s', async (address, fault) => {
  const agent = await app.credential()
  const id = await subscribe(agent)
  const before = await fingerprint(app.databaseUrl)
  const rejected = errorBody('validation_failed', 400, [
    { path: 'url', message: expect.stringContaining(fault) as string },
  ])
  expect(await agent.post('/webhooks', { url: address })).toMatchObject(rejected)
  expect(await agent.patch(`/webhooks/${id}`, { url: address })).toMatchObject(rejected)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test('rejects a host that resolves to a private address; accepts one that does not resolve', async () => {
  const addresses: Record<string, string[]> = {
    'public.example.com': ['93.184.215.14'],
    'private.example.com': ['10.0.0.7'],
    'both.example.com': ['93.184.215.14', '127.0.0.1'],
  }
  await using resolving = await testApp({
    egress: {
      allowHttp: 'none',
      allowPrivate: 'none',
      async resolve(hostname) {
        const known = addresses[hostname]
        if (known === undefined) throw new Error('ENOTFOUND')
        return known.map((address) => ({ address, family: 4 }))
      },
    },
  })
  const agent = await resolving.credential()
  const statusFor = async (name: string) =>
    (await agent.post('/webhooks', { url: `https://${name}.example.com/` })).status
  expect(await statusFor('public')).toBe(201)
  expect(await statusFor('private')).toBe(400)
  expect(await statusFor('both')).toBe(400)
  expect(await statusFor('nowhere')).toBe(201)
})

test('a patch changes only the fields it contains', async () => {
  const agent = await app.credential()
  const { secret: _, ...first } = (await agent.post('/webhooks', { url })).body
  const path = `/webhooks/${first['id']}`
  const expected = first
  for (const [patch, shown] of [
    [{ url: 'https://other.example.com/' }],
    [{ event_types: ['lead.created', 'lead.created'] }, { event_types: ['lead.created'] }],
    [{ description: 'Mirror' }],
    [{ description: null }],
    [{ event_types: [] }],
    [{ paused: true }, { paused: true, status: 'paused' }],
    [{ paused: false }, { paused: false, status: 'active' }],
  ]) {
    app.clock.advance(1000)
    Object.assign(expected, shown ?? patch, { updated_at: app.clock.now().toISOString() })
    const { status, body } = await agent.patch(path, patch)
    expect([status, body]).toEqual([200, expected])
    expect((await agent.get(path)).body).toEqual(expected)
  }
})

test('`paused: false` enables a disabled webhook, and `paused: true` does not', async () => {
  const agent = await app.credential()
  const id = await subscribe(agent)
  const since = '2026-02-25T15:00:00.000Z'
  const at = '2026-03-02T15:00:00.000Z'
  await asOwner(app.databaseUrl, 'update webhooks set failing_since = $2, disabled_at = $3 where id = $1', [
    id,
    since,
    at,
  ])
  const disabled = {
    status: 'disabled',
    failing_since: since,
    disabled_at: at,
    disabled_reason: `Every attempt from ${since} to ${at} failed.`,
  }
  expect((await agent.get(`/webhooks/${id}`)).body).toMatchObject(disabled)
  expect((await agent.patch(`/webhooks/${id}`, { description: 'Mirror' })).body).toMatchObject(disabled)
  expect((await agent.patch(`/webhooks/${id}`, { paused: true })).body).toMatchObject(disabled)
  expect((await agent.patch(`/webhooks/${id}`, { paused: false })).body).toMatchObject({
    status: 'active',
    paused: false,
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
  })
})

test('changing the URL or rotating the secret requires all scopes of the webhook', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential('webhooks:manage', 'contacts:read', 'deals:read')
  const clerk = await workspace.credential('webhooks:manage', 'contacts:read')
  const id = await subscribe(agent)
  const path = `/webhooks/${id}`
  const before = await fingerprint(app.databaseUrl)
  const elsewhere = { url: 'https://elsewhere.example.com/' }
  expect(await clerk.patch(path, { ...elsewhere, paused: true })).toMatchObject(lacksScope('deals:read'))
  expect(await clerk.post(`${path}/rotate-secret`)).toMatchObject(lacksScope('deals:read'))
  expect(await fingerprint(app.databaseUrl)).toEqual(before)

  expect((await clerk.patch(path, { url, description: 'Mirror' })).body).toMatchObject({ url })
  expect((await agent.patch(path, elsewhere)).body).toMatchObject(elsewhere)
  expect((await agent.post(`${path}/rotate-secret`)).status).toBe(200)
})

test('deleting a webhook removes it and its pending deliveries', async () => {
  const databaseUrl = await freshDatabase('webhooks_removed')
  await using working = await testApp({ databaseUrl, role: 'all', egress: towardsLoopback })
  const agent = await working.credential()
  // Paused, so that nothing is sent and all deliveries wait.
  const paused = async () => {
    const id = await subscribe(agent, { url: 'https://localhost:1/' })
    await agent.patch(`/webhooks/${id}`, { paused: true })
    return id
  }
  const [removed, kept] = [await paused(), await paused()]
  for (let i = 0; i < 3; i++) await agent.post('/contacts')
  const waiting = () =>
    asOwner(databaseUrl, 'select webhook_id from webhook_deliveries order by webhook_id').then((rows) =>
      rows.map((row) => row['webhook_id']),
    )
  expect(await waiting()).toEqual([removed, removed, removed, kept, kept, kept])

  expect(await agent.delete(`/webhooks/${removed}`)).toMatchObject({
    status: 200,
    body: { id: removed, deleted: true },
  })
  await eventually(async () => expect(await waiting()).toEqual([kept, kept, kept]))
  expect((await agent.get('/webhooks')).body['data']).toMatchObject([{ id: kept }])
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate-secret'],
    ['GET', '/deliveries'],
    ['GET', `/deliveries/${newId(app.clock.now())}`],
    ['POST', '/test'],
  ] as const) {
    const body = method === 'GET' ? undefined : {}
    expect(await agent.request(method, `/webhooks/${removed}${path}`, { body })).toMatchObject({
      status: 404,
      body: { error: { code: 'not_found' } },
    })
  }
})

test('a workspace has at most 100 webhooks, even under concurrent requests', async () => {
  const [workspace, other] = [await app.workspace(), await app.workspace()]
  const creators = await Promise.all(Array.from({ length: 8 }, () => workspace.credential()))
  const responses = await Promise.all(
    creators.flatMap((agent) => Array.from({ length: 15 }, () => agent.post('/webhooks', { url }))),
  )
  const made = responses.filter(({ status }) => status === 201)
  expect(made).toHaveLength(100)
  for (const response of responses.filter(({ status }) => status !== 201)) {
    expect(response).toMatchObject({ status: 409, body: { error: { code: 'webhook_limit' } } })
  }
  const agent = await workspace.credential()
  expect((await agent.get('/webhooks?limit=200')).body['data']).toHaveLength(100)
  expect((await (await other.credential()).post('/webhooks', { url })).status).toBe(201)
  await agent.delete(`/webhooks/${made[0]?.body['id']}`)
  expect((await agent.post('/webhooks', { url })).status).toBe(201)
  expect((await agent.post('/webhooks', { url })).status).toBe(409)
})
