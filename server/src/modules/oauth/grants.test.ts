import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, connect, inWorkspace, memberOf, post, refreshForm, registerApp } from '#test/oauth/scene.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import { eventually } from '#test/support/eventually.ts'
import { sessionClient } from '#test/support/session-client.ts'
import { updateApp } from './manage-app.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

/** A workspace with a connected app and a signed-in admin. */
async function connected(scopes: string[]) {
  const workspace = await app.workspace()
  const mirror = await registerApp(app)
  const tokens = await connect(app, workspace, mirror, { scopes })
  const admin = await sessionClient(app, await personIn(workspace, 'admin'), workspace.id)
  const [grant] = (await admin.get('/grants')).body['data']
  return { workspace, mirror, tokens, admin, grant, client: bearer(app, tokens.access_token) }
}

test('a grant shows its app, its current scopes, the member who approved it, and its last use', async () => {
  const { admin, grant, mirror, client, workspace } = await connected(['contacts:write', 'leads:read'])
  const at = app.clock.now().toISOString()
  expect(grant).toEqual({
    id: expect.stringMatching(/^c[a-z0-9]{24}$/),
    app_id: mirror.app.id,
    app_name: 'Lead Mirror',
    scopes: ['contacts:write', 'leads:read'],
    member_id: expect.any(String),
    last_used_at: null,
    created_at: at,
    updated_at: at,
  })
  expect((await memberOf(workspace)).id).not.toBe(grant.member_id)
  expect((await client.get('/ping')).status).toBe(200)
  const read = async () => (await admin.get(`/grants/${grant.id}`)).body
  await eventually(async () => (await read())['last_used_at'] === at)
  await updateApp(inWorkspace(app, mirror.app.workspace_id), mirror.app.id, { scopes: ['contacts:read'] })
  expect((await read())['scopes']).toEqual(['contacts:read'])
})

test('disconnecting an app revokes its tokens and deletes its webhooks', async () => {
  const { admin, grant, mirror, tokens, client } = await connected(['webhooks:manage', 'contacts:read'])
  const url = 'https://hooks.example.com/gable'
  const foreign = (await client.post('/webhooks', { url })).body['id']
  const ours = (await admin.post('/webhooks', { url })).body['id']
  expect((await admin.delete(`/grants/${grant.id}`)).body).toEqual({ id: grant.id, deleted: true })
  expect((await client.get('/ping')).status).toBe(401)
  expect((await post(app, 'token', refreshForm(mirror, tokens.refresh_token))).status).toBe(400)
  expect([
    (await admin.get(`/webhooks/${foreign}`)).status,
    (await admin.get(`/webhooks/${ours}`)).status,
  ]).toEqual([404, 200])
  expect((await admin.get('/grants')).body['data']).toEqual([])
  expect((await admin.get(`/grants/${grant.id}`)).status).toBe(404)
  expect((await admin.delete(`/grants/${grant.id}`)).status).toBe(404)
})

test('the audit log names the API key that disconnected an app', async () => {
  const { admin, grant, workspace } = await connected(['contacts:read'])
  const key = await workspace.credential('settings:manage')
  await key.delete(`/grants/${grant.id}`)
  const { body } = await admin.get('/audit-log?type=grant.revoked')
  expect(body['data']).toMatchObject([
    {
      summary: 'An app was disconnected',
      actor: { type: 'api_key', id: key.keyId, name: 'A key' },
      subject: { type: 'grant', id: grant.id },
      data: { app_id: grant.app_id, app_name: 'Lead Mirror' },
    },
  ])
})

test('a signed-in agent gets 403', async () => {
  const { workspace, grant } = await connected(['contacts:read'])
  const agent = await sessionClient(app, await personIn(workspace, 'agent'), workspace.id)
  for (const response of [
    await agent.get('/grants'),
    await agent.get(`/grants/${grant.id}`),
    await agent.delete(`/grants/${grant.id}`),
  ])
    expect(response).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
})
