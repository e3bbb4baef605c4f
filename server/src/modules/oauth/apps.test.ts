import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, connect, post, redirectUri } from '#test/oauth/scene.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import { type Client, createClient } from '#test/support/client.ts'
import { asOwner, fingerprint } from '#test/support/database.ts'
import { sessionClient } from '#test/support/session-client.ts'
import type { AppRow } from './apps/app.ts'
import { sweepTokens } from './jobs.ts'

let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace('Developers')
})
afterAll(() => app[Symbol.asyncDispose]())

const draft = { name: 'Lead Mirror', redirect_uris: [redirectUri], scopes: ['leads:read', 'contacts:read'] }
const dayMs = 24 * 3_600_000

/** A client of a person with this role who has just signed in. */
const member = async (role: 'owner' | 'admin' | 'agent') =>
  sessionClient(app, await personIn(workspace, role), workspace.id)

/** Registers an app through the API. `mirror` is the app in the form that the OAuth scenes use. */
async function register(client: Client, change: object = {}) {
  const { status, body } = await client.post('/apps', { ...draft, ...change })
  if (status !== 201) throw new Error(JSON.stringify(body))
  const { client_id: id, client_secret: secret, ...shown } = body
  const credentials = { client_id: id, client_secret: secret }
  const mirror = { app: { ...(shown as AppRow), workspace_id: workspace.id }, secret, credentials }
  return { id: String(id), secret: String(secret), body, mirror }
}

const tokenStatus = async (id: string, secret: string) => {
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
  return (await post(app, 'token', form)).status
}

test('an admin registers an app, whose secret is shown once and works at /oauth/token', async () => {
  const admin = await member('admin')
  const { id, secret, body, mirror } = await register(admin)
  const at = app.clock.now().toISOString()
  const { client_id, client_secret, ...shown } = body
  expect([client_id, client_secret]).toEqual([id, expect.stringMatching(/^gbl_cs_[0-9A-Za-z]{49}$/)])
  expect(shown).toEqual({
    ...draft,
    id,
    scopes: ['contacts:read', 'leads:read'],
    confidential: true,
    disabled_at: null,
    secret_prefix: secret.slice(0, 12),
    previous_secret_until: null,
    created_at: at,
    updated_at: at,
  })
  expect((await admin.get(`/apps/${id}`)).body).toEqual(shown)
  expect((await admin.get('/apps')).body['data']).toContainEqual(shown)
  const stored = await asOwner(app.databaseUrl, 'select o::text as text from oauth_apps o where id = $1', [
    id,
  ])
  expect(JSON.stringify(stored)).not.toContain(secret)

  await connect(app, await app.workspace(), mirror)
  const wrong = secret.replace(/.$/, (last) => (last === 'x' ? 'y' : 'x'))
  expect([await tokenStatus(id, secret), await tokenStatus(id, wrong)]).toEqual([200, 401])
})

test('a public app has no secret, and rotating it returns 409', async () => {
  const owner = await member('owner')
  const { id, body } = await register(owner, { confidential: false })
  expect(body).toMatchObject({ confidential: false, client_secret: null, secret_prefix: null })
  expect(await owner.post(`/apps/${id}/rotate-secret`)).toMatchObject({
    status: 409,
    body: { error: { code: 'public_app' } },
  })
})

test('a rotated secret is shown once; only the previous one still works, for 24 hours', async () => {
  const owner = await member('owner')
  const { id, secret: first, mirror } = await register(owner)
  await connect(app, await app.workspace(), mirror)
  const rotate = async () => {
    const { status, body, headers } = await owner.post(`/apps/${id}/rotate-secret`)
    expect([status, headers.has('idempotency-replayed')]).toEqual([200, false])
    return body
  }
  const second = String((await rotate())['client_secret'])
  expect([await tokenStatus(id, first), await tokenStatus(id, second)]).toEqual([200, 200])
  const { client_secret, client_id, ...shown } = await rotate()
  const third = String(client_secret)
  expect((await owner.get(`/apps/${id}`)).body).toEqual(shown)
  expect([client_id, shown['secret_prefix'], shown['previous_secret_until']]).toEqual([
    id,
    third.slice(0, 12),
    new Date(app.clock.now().getTime() + dayMs).toISOString(),
  ])
  const statuses = () => Promise.all([first, second, third].map((secret) => tokenStatus(id, secret)))
  expect(await statuses()).toEqual([401, 200, 200])
  app.clock.advance(dayMs - 1)
  expect(await statuses()).toEqual([401, 200, 200])
  app.clock.advance(1)
  expect(await statuses()).toEqual([401, 401, 200])
  await sweepTokens.handle(app.runtime)
  const later = await sessionClient(app, await personIn(workspace), workspace.id)
  expect((await later.get(`/apps/${id}`)).body['previous_secret_until']).toBeNull()
  expect(await statuses()).toEqual([401, 401, 200])
})

test('API keys and app tokens cannot register or change an app or rotate its secret', async () => {
  const owner = await member('owner')
  const { id, mirror } = await register(owner, { scopes: ['settings:manage'] })
  const { access_token: token } = await connect(app, workspace, mirror, {
    scopes: ['settings:manage'],
  })
  const key = createClient(app.base, { key: (await workspace.credential()).key })
  const before = await fingerprint(app.databaseUrl)
  for (const client of [key, bearer(app, token)]) {
    for (const response of [
      await client.post('/apps', draft),
      await client.patch(`/apps/${id}`, { name: 'Mine' }),
      await client.post(`/apps/${id}/rotate-secret`),
    ])
      expect(response).toMatchObject({ status: 403, body: { error: { code: 'recent_sign_in_required' } } })
  }
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
  expect((await key.get(`/apps/${id}`)).status).toBe(200)
})

test('a signed-in agent gets 403 when listing, reading, or managing apps', async () => {
  const { id } = await register(await member('owner'))
  const agent = await member('agent')
  for (const response of [
    await agent.get('/apps'),
    await agent.get(`/apps/${id}`),
    await agent.post('/apps', draft),
    await agent.patch(`/apps/${id}`, { name: 'Mine' }),
    await agent.post(`/apps/${id}/disable`),
    await agent.delete(`/apps/${id}`),
  ])
    expect(response).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
})

test('a disabled app is rejected on its next request and works again once enabled', async () => {
  const admin = await member('admin')
  const { id, secret, mirror } = await register(admin)
  const tokens = await connect(app, await app.workspace(), mirror)
  const states = async () => [
    (await bearer(app, tokens.access_token).get('/ping')).status,
    await tokenStatus(id, secret),
  ]
  app.clock.advance(1000)
  const at = app.clock.now().toISOString()
  expect((await admin.post(`/apps/${id}/disable`)).body).toMatchObject({ disabled_at: at, updated_at: at })
  expect(await states()).toEqual([401, 401])
  app.clock.advance(1000)
  expect((await admin.post(`/apps/${id}/disable`)).body).toMatchObject({ disabled_at: at, updated_at: at })
  expect((await admin.post(`/apps/${id}/enable`)).body).toMatchObject({ disabled_at: null })
  expect(await states()).toEqual([200, 200])
})

test('deleting an app revokes its access tokens', async () => {
  const admin = await member('admin')
  const { id, mirror } = await register(admin)
  const tokens = await connect(app, await app.workspace(), mirror)
  expect((await admin.delete(`/apps/${id}`)).body).toEqual({ id, deleted: true })
  expect((await bearer(app, tokens.access_token).get('/ping')).status).toBe(401)
  for (const response of [
    await admin.get(`/apps/${id}`),
    await admin.patch(`/apps/${id}`, { name: 'Again' }),
    await admin.post(`/apps/${id}/enable`),
    await admin.delete(`/apps/${id}`),
  ])
    expect(response.status).toBe(404)
})

test.each([
  [{ redirect_uris: ['https://a.example/', 'http://b.example/'] }, 'redirect_uris.1'],
  [{ redirect_uris: ['https://a.example/#top'] }, 'redirect_uris.0'],
  [{ redirect_uris: [] }, 'redirect_uris'],
  [{ scopes: [] }, 'scopes'],
  [{ scopes: ['contacts:read', 'everything'] }, 'scopes.1'],
])('rejects an app with %j and reports the error at %s', async (change, path) => {
  const owner = await member('owner')
  const { id } = await register(owner)
  const before = await fingerprint(app.databaseUrl)
  const rejected = { status: 400, body: { error: { code: 'validation_failed', details: [{ path }] } } }
  expect(await owner.post('/apps', { ...draft, ...change })).toMatchObject(rejected)
  expect(await owner.patch(`/apps/${id}`, change)).toMatchObject(rejected)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})
