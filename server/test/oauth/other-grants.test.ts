import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSecret } from '../../src/modules/access/secret.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { fingerprint } from '../support/database.ts'
import {
  disconnect,
  type RegisteredApp,
  approveApp,
  basic,
  bearer,
  changed,
  connect,
  expectError,
  post,
  refreshForm,
  registerApp,
} from './scene.ts'

let app: TestApp
let workspace: TestWorkspace
let mirror: RegisteredApp
let native: RegisteredApp
let other: RegisteredApp

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  mirror = await registerApp(app)
  native = await registerApp(app, { confidential: false })
  other = await registerApp(app)
})
afterAll(() => app[Symbol.asyncDispose]())

test('a confidential app needs its secret to refresh; a public app does not', async () => {
  const tokens = await connect(app, workspace, mirror)
  const form = refreshForm(mirror, tokens.refresh_token)
  expectError(await post(app, 'token', changed(form, { client_secret: undefined })), 'invalid_client', 401)
  for (const secret of ['wrong', newSecret('gbl_cs_'), other.secret ?? ''])
    expectError(await post(app, 'token', { ...form, client_secret: secret }), 'invalid_client', 401)
  expect((await post(app, 'token', form)).status).toBe(200)
  const desktop = await connect(app, workspace, native)
  const nativeForm = refreshForm(native, desktop.refresh_token)
  expectError(await post(app, 'token', { ...nativeForm, client_secret: 'any' }), 'invalid_client', 401)
  expect((await post(app, 'token', nativeForm)).status).toBe(200)
})

test('a missing, unknown or other app’s refresh token is rejected and not consumed', async () => {
  const tokens = await connect(app, workspace, mirror)
  const form = refreshForm(mirror, tokens.refresh_token)
  expectError(await post(app, 'token', changed(form, { refresh_token: undefined })), 'invalid_request')
  expectError(await post(app, 'token', refreshForm(mirror, newSecret('gbl_rt_'))), 'invalid_grant')
  expectError(await post(app, 'token', refreshForm(mirror, tokens.access_token)), 'invalid_grant')
  expectError(await post(app, 'token', refreshForm(other, tokens.refresh_token)), 'invalid_grant')
  expect((await post(app, 'token', form)).status).toBe(200)
})

test('a refresh can narrow one access token; a wider scope is invalid_scope and consumes nothing', async () => {
  const tokens = await connect(app, workspace, mirror, { scopes: ['contacts:write', 'leads:read'] })
  const form = refreshForm(mirror, tokens.refresh_token)
  for (const scope of ['deals:read', 'contacts:write deals:read', 'nonsense', 'contacts:read:pii', ' '])
    expectError(await post(app, 'token', { ...form, scope }), 'invalid_scope')
  const less = await post(app, 'token', { ...form, scope: 'contacts:read' })
  expect([less.status, less.body['scope']]).toEqual([200, 'contacts:read'])
  const ping = await bearer(app, String(less.body['access_token'])).get('/ping')
  expect(ping.body['scopes']).toEqual(['contacts:read'])
  const again = await post(app, 'token', refreshForm(mirror, String(less.body['refresh_token'])))
  expect(again.body['scope']).toBe('contacts:write leads:read')
})

test('client credentials act for the only authorizing workspace, or the one in tenant_id', async () => {
  const robot = await registerApp(app)
  const form = { grant_type: 'client_credentials', ...robot.credentials }
  expectError(await post(app, 'token', form), 'unauthorized_client')
  const first = await app.workspace()
  await approveApp(first, robot, { scopes: ['contacts:read', 'leads:write'] })
  const { status, body } = await post(app, 'token', form)
  expect([status, body]).toEqual([
    200,
    {
      access_token: expect.stringMatching(/^gbl_at_/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'contacts:read leads:write',
      tenant_id: first.id,
    },
  ])
  expect((await bearer(app, String(body['access_token'])).get('/ping')).body['workspace'].id).toBe(first.id)

  const second = await app.workspace()
  await approveApp(second, robot)
  expectError(await post(app, 'token', form), 'invalid_request')
  for (const { id } of [first, second]) {
    expect((await post(app, 'token', { ...form, tenant_id: id })).body['tenant_id']).toBe(id)
  }
  const responses = ['nothing', (await app.workspace()).id, 'c'.padEnd(25, '0')].map((tenant_id) =>
    post(app, 'token', { ...form, tenant_id }),
  )
  for (const response of await Promise.all(responses)) {
    expectError(response, 'unauthorized_client')
    expect(response.body).toEqual((await responses[0])?.body)
  }
  await disconnect(second, robot.app.id)
  expectError(await post(app, 'token', { ...form, tenant_id: second.id }), 'unauthorized_client')
  expect((await post(app, 'token', form)).body['tenant_id']).toBe(first.id)
})

test('client credentials can request fewer scopes than granted, but not more', async () => {
  const robot = await registerApp(app)
  const there = await app.workspace()
  await approveApp(there, robot, { scopes: ['contacts:write'] })
  const form = { grant_type: 'client_credentials', ...robot.credentials }
  expect((await post(app, 'token', { ...form, scope: 'contacts:read' })).body['scope']).toBe('contacts:read')
  expectError(await post(app, 'token', { ...form, scope: 'contacts:read leads:read' }), 'invalid_scope')
})

test('a public app cannot use client credentials', async () => {
  await approveApp(workspace, native)
  for (const credentials of [
    native.credentials,
    { ...native.credentials, client_secret: newSecret('gbl_cs_') },
  ]) {
    expectError(
      await post(app, 'token', { grant_type: 'client_credentials', ...credentials }),
      'unauthorized_client',
    )
  }
})

test('revoking an invalid token returns an empty 200 and changes nothing', async () => {
  const before = await fingerprint(app.databaseUrl)
  for (const form of [
    {},
    { token: '' },
    { token: 'nothing' },
    { token: newSecret('gbl_at_') },
    { token: newSecret('gbl_rt_'), token_type_hint: 'nonsense' },
    { token: newSecret('gbl_key_'), ...other.credentials, client_secret: 'wrong' },
    'token=%zz',
    'token=a&token=b',
  ]) {
    const { status, body } = await post(app, 'revoke', form)
    expect([status, body]).toEqual([200, {}])
  }
  expect((await post(app, 'revoke', 'token=a', { 'content-type': 'none' })).status).toBe(200)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test('revoking a retired refresh token revokes its family, without client authentication', async () => {
  const tokens = await connect(app, workspace, mirror)
  const { body } = await post(app, 'token', refreshForm(mirror, tokens.refresh_token))
  const status = async () => (await bearer(app, String(body['access_token'])).get('/ping')).status
  expect(await status()).toBe(200)
  const header = basic(other.app.id, 'wrong')
  expect((await post(app, 'revoke', { token: tokens.refresh_token }, header)).status).toBe(200)
  expect(await status()).toBe(401)
  expect((await post(app, 'revoke', { token: tokens.refresh_token })).status).toBe(200)
})
