import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Ctx } from '#kernel/context.ts'
import type { AppPatch } from '../../src/modules/oauth/apps/app.ts'
import { approve } from '../../src/modules/oauth/authorize/approve.ts'
import { narrowGrant } from '../../src/modules/oauth/jobs.ts'
import { findAppOf, listAppAudit, updateApp } from '../../src/modules/oauth/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import {
  type RegisteredApp,
  approveApp,
  bearer,
  codeForm,
  connect,
  expectError,
  inWorkspace,
  memberOf,
  post,
  redirectUri,
  refreshForm,
  registerApp,
} from './scene.ts'

let app: TestApp
let workspace: TestWorkspace

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
})
afterAll(() => app[Symbol.asyncDispose]())

const owner = ({ app: { workspace_id } }: RegisteredApp) => inWorkspace(app, workspace_id)
const update = (registered: RegisteredApp, patch: AppPatch) =>
  updateApp(owner(registered), registered.app.id, patch)
const stored = ({ app: { id, workspace_id } }: RegisteredApp) =>
  findAppOf(app.runtime.database.directory, workspace_id, id)
const scopesOf = async (token: string) => (await bearer(app, token).get('/ping')).body['scopes']
const eventsIn = async (ctx: Ctx) => (await listAppAudit(ctx)).map(({ type, data }) => [type, data])

test('a patch changes only the given fields, and the audit log lists those that changed', async () => {
  const mirror = await registerApp(app, { scopes: ['contacts:read'] })
  const changes: [AppPatch, string[]][] = [
    [{ name: 'Mirror' }, ['name']],
    [{ redirect_uris: ['https://other.example/', 'https://other.example/'] }, ['redirect_uris']],
    [{ scopes: ['leads:read', 'contacts:read'] }, ['scopes']],
    [{ name: 'Mirror', scopes: ['contacts:read', 'leads:read'] }, []],
    [{}, []],
    [{ name: 'Both', scopes: ['leads:read'] }, ['name', 'scopes']],
  ]
  for (const [patch] of changes) {
    app.clock.advance(1)
    await update(mirror, patch)
  }
  expect(await stored(mirror)).toEqual({
    ...mirror.app,
    name: 'Both',
    redirect_uris: ['https://other.example/'],
    scopes: ['leads:read'],
    updated_at: app.clock.now().toISOString(),
  })
  const updates = (await eventsIn(owner(mirror))).filter(([event]) => event === 'app.updated')
  expect(updates.map(([, data]) => (data as { changed: string[] }).changed).toReversed()).toEqual(
    changes.map(([, changed]) => changed).filter((changed) => changed.length > 0),
  )
})

test.each([
  [{ name: '' }, 'name'],
  [{ name: 'x'.repeat(121) }, 'name'],
  [{ redirect_uris: [] }, 'redirect_uris'],
  [{ redirect_uris: ['http://a.example/'] }, 'redirect_uris.0'],
  [{ scopes: [] }, 'scopes'],
  [{ scopes: ['everything'] }, 'scopes.0'],
] as [AppPatch, string][])('a patch with %j is rejected as a whole', async (patch, path) => {
  const mirror = await registerApp(app)
  await expect(update(mirror, { name: 'New', ...patch })).rejects.toMatchObject({
    body: { details: [{ path }] },
  })
  expect(await stored(mirror)).toEqual(mirror.app)
})

test('another workspace cannot change an app', async () => {
  const mirror = await registerApp(app)
  await expect(updateApp(workspace.ctx, mirror.app.id, { name: 'Mine' })).rejects.toMatchObject({
    code: 'not_found',
  })
  expect(await stored(mirror)).toEqual(mirror.app)
})

/** Scopes of the app before, of the grant, of the app afterwards, and those that remain. */
const narrowings: [string[], string[], string[], string[]][] = [
  [['contacts:write', 'leads:read'], ['contacts:write', 'leads:read'], ['leads:read'], ['leads:read']],
  [['contacts:write'], ['contacts:write'], ['contacts:read'], ['contacts:read']],
  [['contacts:read:pii', 'deals:read'], ['contacts:read:pii'], ['contacts:write'], ['contacts:read']],
  [['contacts:write', 'leads:read'], ['contacts:read'], ['contacts:write'], ['contacts:read']],
  [['contacts:read', 'leads:read'], ['contacts:read'], ['leads:read'], []],
]

test.each(narrowings)(
  'an app with scopes %j, granted %j and then narrowed to %j, has %j until it is widened again',
  async (registered, granted, narrowed, left) => {
    const place = await app.workspace()
    const mirror = await registerApp(app, { scopes: registered })
    const tokens = await connect(app, place, mirror, { scopes: granted })
    const before = await scopesOf(tokens.access_token)
    await update(mirror, { scopes: narrowed })
    expect(await scopesOf(tokens.access_token)).toEqual(left)

    const code = codeForm(mirror, await approvedBefore(place, mirror, granted, narrowed))
    const refresh = refreshForm(mirror, tokens.refresh_token)
    const credentials = { grant_type: 'client_credentials', ...mirror.credentials, tenant_id: place.id }
    for (const form of [code, refresh, credentials]) {
      const response = await post(app, 'token', form)
      if (left.length === 0) expectError(response, 'invalid_scope')
      else {
        expect([response.status, response.body['scope']]).toEqual([200, left.join(' ')])
        expect(await scopesOf(String(response.body['access_token']))).toEqual(left)
      }
    }

    await update(mirror, { scopes: registered })
    expect(await scopesOf(tokens.access_token)).toEqual(before)
    // The rejected requests have used up neither the code nor the refresh token.
    if (left.length === 0)
      for (const form of [code, refresh]) expect((await post(app, 'token', form)).status).toBe(200)
  },
)

/** A code that was issued while the app could still request the scopes. */
async function approvedBefore(
  place: TestWorkspace,
  mirror: RegisteredApp,
  granted: string[],
  narrowed: string[],
) {
  await update(mirror, { scopes: mirror.app.scopes })
  const approved = await approveApp(place, mirror, { scopes: granted })
  await update(mirror, { scopes: narrowed })
  return approved
}

test('a removed scope or redirect URI cannot be approved', async () => {
  const mirror = await registerApp(app, { scopes: ['contacts:write', 'leads:read'] })
  const member = await memberOf(workspace)
  const asked = { app: mirror.app, redirectUri, challenge: 'x'.repeat(43), state: undefined }
  const approving = (scopes: string[]) => approve(workspace.ctx, member.id, { ...asked, scopes })
  await update(mirror, { scopes: ['contacts:write'] })
  await expect(approving(['leads:read'])).rejects.toMatchObject({ code: 'conflict' })
  expect(await approving(['contacts:read'])).toContain('code=')
  await update(mirror, { redirect_uris: ['https://other.example/'] })
  await expect(approving(['contacts:read'])).rejects.toMatchObject({ code: 'conflict' })
})

test('the app’s webhooks lose removed scopes, and the workspace gets an event', async () => {
  const place = await app.workspace()
  const mirror = await registerApp(app, { scopes: ['webhooks:manage', 'contacts:write', 'leads:read'] })
  const scopes = mirror.app.scopes
  const client = bearer(app, (await connect(app, place, mirror, { scopes })).access_token)
  const agent = await place.credential()
  const url = 'https://hooks.example.com/gable'
  const foreign = String((await client.post('/webhooks', { url })).body['id'])
  const ours = String((await agent.post('/webhooks', { url })).body['id'])
  const seen = async (id: string) => (await agent.get(`/webhooks/${id}`)).body['scopes'] as string[]
  const all = await seen(ours)
  await update(mirror, { scopes: ['webhooks:manage', 'contacts:read'] })
  for (let twice = 0; twice < 2; twice++) await narrowGrant.handle(place.ctx, { app_id: mirror.app.id })
  expect(await seen(foreign)).toEqual(['contacts:read', 'webhooks:manage'])
  expect(await seen(ours)).toEqual(all)
  expect((await eventsIn(place.ctx))[0]).toEqual([
    'grant.narrowed',
    expect.objectContaining({ app_name: 'Lead Mirror', scopes: ['contacts:read', 'webhooks:manage'] }),
  ])
})

test('a workspace gets no event if the app keeps all scopes it was granted', async () => {
  const place = await app.workspace()
  const mirror = await registerApp(app, { scopes: ['contacts:read', 'leads:read'] })
  await connect(app, place, mirror, { scopes: ['contacts:read'] })
  await update(mirror, { scopes: ['contacts:read'] })
  await narrowGrant.handle(place.ctx, { app_id: mirror.app.id })
  expect((await eventsIn(place.ctx)).map(([event]) => event)).toEqual(['grant.approved'])
})

test('a webhook created during a scope change never has more scopes than the app', async () => {
  for (let round = 0; round < 8; round++) {
    const place = await app.workspace()
    const mirror = await registerApp(app, { scopes: ['webhooks:manage', 'contacts:read'] })
    const client = bearer(
      app,
      (await connect(app, place, mirror, { scopes: mirror.app.scopes })).access_token,
    )
    const asked = Array.from({ length: 8 }, () =>
      client.post('/webhooks', { url: 'https://hooks.example.com/' }),
    )
    await update(mirror, { scopes: ['webhooks:manage'] })
    await narrowGrant.handle(place.ctx, { app_id: mirror.app.id })
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual(asked.map(() => 201))
    const { body } = await (await place.credential()).get('/webhooks')
    for (const { scopes } of body['data']) expect(scopes).toEqual(['webhooks:manage'])
  }
})
