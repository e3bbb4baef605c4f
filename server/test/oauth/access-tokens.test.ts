import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newSecret } from '../../src/modules/access/secret.ts'
import { deleteApp, setAppEnabled } from '../../src/modules/oauth/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import {
  disconnect,
  approveApp,
  bearer,
  connect,
  inWorkspace,
  post,
  refreshForm,
  registerApp,
} from './scene.ts'

let app: TestApp
let other: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp()
  other = await testApp({ databaseUrl: app.databaseUrl })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await other[Symbol.asyncDispose]()
})

async function connected(scopes: readonly string[] = ['contacts:read'], registered?: string[]) {
  workspace = await app.workspace()
  const mirror = await registerApp(app, registered === undefined ? {} : { scopes: registered })
  const tokens = await connect(app, workspace, mirror, { scopes })
  return { mirror, tokens, client: bearer(app, tokens.access_token), workspace }
}

const pings = async (token: string) => {
  const responses = [await bearer(app, token).get('/ping'), await bearer(other, token).get('/ping')]
  return responses.map(({ status }) => status)
}

test('an invalid token gets 401 invalid_token, in the body and in the header', async () => {
  const { tokens } = await connected()
  await post(app, 'revoke', { token: tokens.access_token })
  for (const token of [
    tokens.access_token,
    newSecret('gbl_at_'),
    tokens.refresh_token,
    'gbl_at_nonsense',
    'x',
  ]) {
    const { status, headers, body } = await bearer(app, token).get('/ping')
    expect([status, body['error'].code]).toEqual([401, 'invalid_token'])
    expect(headers.get('www-authenticate')).toBe('Bearer realm="gable", error="invalid_token"')
    expect(headers.get('x-ratelimit-limit')).not.toBeNull()
  }
})

test('a 401 names both schemes without a credential, and the right one for a wrong scheme', async () => {
  const { tokens } = await connected()
  const none = await app.anonymous.get('/ping')
  expect(none.headers.get('www-authenticate')).toBe('Token realm="gable", Bearer realm="gable"')
  const wrong = await app.anonymous.get('/ping', { authorization: `token ${tokens.access_token}` })
  expect([wrong.status, wrong.body['error'].message]).toEqual([
    401,
    'This is not a credential of this service. Send it as Authorization: Bearer gbl_at_….',
  ])
})

test('the scheme is case-insensitive', async () => {
  const { tokens } = await connected()
  const { status } = await app.anonymous.get('/ping', { authorization: `bearer ${tokens.access_token}` })
  expect(status).toBe(200)
})

test('a missing scope returns 403 insufficient_scope, in the body and in the header', async () => {
  const { client } = await connected(['leads:read'])
  const { status, headers, body } = await client.get('/contacts')
  expect([status, body['error'].code]).toEqual([403, 'insufficient_scope'])
  expect(headers.get('www-authenticate')).toBe(
    'Bearer realm="gable", error="insufficient_scope", scope="contacts:read"',
  )
  const agent = await workspace.credential('leads:read')
  expect((await agent.get('/contacts')).headers.get('www-authenticate')).toBeNull()
})

test('a token keeps its scopes after its grant is widened', async () => {
  const { mirror, client, tokens } = await connected(['contacts:read'])
  await approveApp(workspace, mirror, { scopes: ['leads:write'] })
  expect((await client.get('/ping')).body['scopes']).toEqual(['contacts:read'])
  const { body } = await post(app, 'token', refreshForm(mirror, tokens.refresh_token))
  expect(body['scope']).toBe('contacts:read')
  const machine = await post(app, 'token', { grant_type: 'client_credentials', ...mirror.credentials })
  expect(machine.body['scope']).toBe('contacts:read leads:write')
})

test('a token has no scope beyond its grant', async () => {
  const { client, tokens } = await connected(['contacts:write', 'contacts:read:pii', 'leads:write'])
  await asOwner(app.databaseUrl, 'update oauth_grants set scopes = $1 where workspace_id = $2', [
    ['contacts:read:pii', 'leads:write'],
    tokens.tenant_id,
  ])
  expect((await client.get('/ping')).body['scopes']).toEqual([
    'contacts:read',
    'contacts:read:pii',
    'leads:read',
    'leads:write',
  ])
})

test('without contacts:read:pii an app sees masked phones and emails', async () => {
  const { client } = await connected(['contacts:read'])
  const agent = await workspace.credential()
  await agent.post('/contacts', { first_name: 'Ada', phone: '+13125550123' })
  expect((await client.get('/contacts')).body['data'][0].phone).toBe('+1******0123')
})

test('a revocation takes effect on the next request to any instance, permanently', async () => {
  const { mirror, tokens } = await connected()
  expect(await pings(tokens.access_token)).toEqual([200, 200])
  await disconnect(workspace, mirror.app.id)
  expect(await pings(tokens.access_token)).toEqual([401, 401])
  const fresh = await connect(app, workspace, mirror)
  expect(await pings(fresh.access_token)).toEqual([200, 200])
  expect(await pings(tokens.access_token)).toEqual([401, 401])
  const { body } = await post(app, 'token', refreshForm(mirror, tokens.refresh_token))
  expect(body['error']).toBe('invalid_grant')
})

test('a revocation in one workspace does not affect another', async () => {
  const { mirror, tokens } = await connected()
  const elsewhere = await app.workspace()
  const foreign = await connect(app, elsewhere, mirror)
  await disconnect(elsewhere, mirror.app.id)
  expect([await pings(tokens.access_token), await pings(foreign.access_token)]).toEqual([
    [200, 200],
    [401, 401],
  ])
})

test('tokens of a disabled app work again once it is enabled; those of a deleted app do not', async () => {
  const { mirror, tokens } = await connected()
  const owner = inWorkspace(app, mirror.app.workspace_id)
  await setAppEnabled(owner, mirror.app.id, false)
  expect(await pings(tokens.access_token)).toEqual([401, 401])
  await setAppEnabled(owner, mirror.app.id, true)
  expect(await pings(tokens.access_token)).toEqual([200, 200])
  await deleteApp(owner, mirror.app.id)
  expect(await pings(tokens.access_token)).toEqual([401, 401])
  await expect(setAppEnabled(owner, mirror.app.id, true)).rejects.toMatchObject({ code: 'not_found' })
})

test('only the workspace that registered an app can change it', async () => {
  const { mirror } = await connected()
  const none = { code: 'not_found' }
  await expect(setAppEnabled(workspace.ctx, mirror.app.id, false)).rejects.toMatchObject(none)
  await expect(deleteApp(workspace.ctx, mirror.app.id)).rejects.toMatchObject(none)
})

test('an app gets 300 requests per minute and workspace, across all tokens and instances', async () => {
  const { mirror, tokens } = await connected()
  const second = await connect(app, workspace, mirror)
  const elsewhere = await connect(app, await app.workspace(), mirror)
  const ask = async (base: string, token: string) => {
    const response = await fetch(`${base}/ping`, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    return { status: response.status, remaining: Number(response.headers.get('x-ratelimit-remaining')) }
  }
  const responses = await Promise.all(
    Array.from({ length: 360 }, (_, i) =>
      ask(i % 2 === 0 ? app.base : other.base, i % 3 === 0 ? tokens.access_token : second.access_token),
    ),
  )
  const allowed = responses.filter(({ status }) => status === 200)
  expect([allowed.length, responses.filter(({ status }) => status === 429).length]).toEqual([300, 60])
  expect(allowed.map(({ remaining }) => remaining).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 300 }, (_, i) => i),
  )
  expect(await ask(app.base, elsewhere.access_token)).toEqual({ status: 200, remaining: 299 })
})

test('an Idempotency-Key holds across refreshes', async () => {
  const { mirror, client, tokens } = await connected(['contacts:write'])
  const headers = { 'idempotency-key': 'once' }
  const first = await client.post('/contacts', { first_name: 'Ada' }, headers)
  const { body } = await post(app, 'token', refreshForm(mirror, tokens.refresh_token))
  const again = await bearer(app, String(body['access_token'])).post(
    '/contacts',
    { first_name: 'Ada' },
    headers,
  )
  expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
})

test('events record the app as their actor', async () => {
  const { mirror, client } = await connected(['contacts:write'])
  const { body } = await client.post('/contacts', { first_name: 'Ada' })
  const events = await asOwner(app.databaseUrl, 'select actor from events where subject_id = $1', [
    body['id'],
  ])
  expect(events).toContainEqual({ actor: { type: 'oauth_app', id: mirror.app.id, name: 'Lead Mirror' } })
})

test('the last use of a grant is recorded', async () => {
  const { client } = await connected()
  const lastUse = async () =>
    (
      await asOwner(app.databaseUrl, 'select last_used_at from oauth_grants where workspace_id = $1', [
        workspace.id,
      ])
    )[0]?.['last_used_at']?.getTime()
  await client.get('/ping')
  await vi.waitFor(async () => expect(await lastUse()).toBe(app.clock.now().getTime()), 30_000)
})

test('a POST that lacks an event’s scope gets a challenge that no Idempotency-Key replays', async () => {
  workspace = await app.workspace()
  const mirror = await registerApp(app)
  const narrow = bearer(
    app,
    (await connect(app, workspace, mirror, { scopes: ['webhooks:manage'] })).access_token,
  )
  const body = { url: 'https://hooks.example.com/gable', event_types: ['contact.created'] }
  const key = { 'idempotency-key': 'one' }
  for (const headers of [{}, key, key]) {
    const rejected = await narrow.post('/webhooks', body, headers)
    expect(rejected.status).toBe(403)
    expect(rejected.headers.get('www-authenticate') ?? '').toContain('error="insufficient_scope"')
    expect(rejected.headers.get('idempotency-replayed')).toBeNull()
  }
})
