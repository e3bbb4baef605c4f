import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { type RegisteredApp, bearer, connect, post, refreshForm, registerApp } from './scene.ts'

let app: TestApp
let workspace: TestWorkspace
let mirror: RegisteredApp

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace('Lakeside')
  mirror = await registerApp(app)
})
afterAll(() => app[Symbol.asyncDispose]())

test('an approved app gets tokens and acts for the workspace', async () => {
  const tokens = await connect(app, workspace, mirror, { scopes: ['contacts:write'] })
  expect(tokens).toEqual({
    access_token: expect.stringMatching(/^gbl_at_[0-9A-Za-z]{49}$/),
    token_type: 'Bearer',
    expires_in: 3600,
    refresh_token: expect.stringMatching(/^gbl_rt_[0-9A-Za-z]{49}$/),
    scope: 'contacts:write',
    tenant_id: workspace.id,
  })
  const ping = await bearer(app, tokens.access_token).get('/ping')
  expect([ping.status, ping.body]).toEqual([
    200,
    {
      workspace: { id: workspace.id, name: 'Lakeside' },
      credential: { type: 'oauth_app', id: mirror.app.id, name: 'Lead Mirror' },
      scopes: ['contacts:read', 'contacts:write'],
    },
  ])
  expect([ping.headers.get('x-ratelimit-limit'), ping.headers.get('x-ratelimit-remaining')]).toEqual([
    '300',
    '299',
  ])
})

test('a refresh retires the token, and using a retired one revokes the family', async () => {
  const first = await connect(app, workspace, mirror)
  const second = await post(app, 'token', refreshForm(mirror, first.refresh_token))
  expect(second.status).toBe(200)
  const client = bearer(app, String(second.body['access_token']))
  expect((await client.get('/ping')).status).toBe(200)
  const replay = await post(app, 'token', refreshForm(mirror, first.refresh_token))
  expect([replay.status, replay.body['error']]).toEqual([400, 'invalid_grant'])
  const after = await client.get('/ping')
  expect([after.status, after.body['error'].code]).toEqual([401, 'invalid_token'])
})

test('revoking an access token affects only that token; a refresh token, its whole family', async () => {
  const tokens = await connect(app, workspace, mirror)
  const status = async (token: unknown) => (await bearer(app, String(token)).get('/ping')).status
  expect((await post(app, 'revoke', { token: tokens.access_token })).status).toBe(200)
  expect(await status(tokens.access_token)).toBe(401)
  const { body } = await post(app, 'token', refreshForm(mirror, tokens.refresh_token))
  expect(await status(body['access_token'])).toBe(200)
  expect((await post(app, 'revoke', { token: tokens.refresh_token })).status).toBe(200)
  expect(await status(body['access_token'])).toBe(401)
})
