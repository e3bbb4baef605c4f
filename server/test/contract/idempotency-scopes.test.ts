import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateApp } from '../../src/modules/oauth/public.ts'
import { setMemberRole } from '../../src/modules/workspaces/public.ts'
import { bearer, connect, inWorkspace, post, refreshForm, registerApp } from '../oauth/scene.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { personIn } from '../support/browser.ts'
import { sessionClient } from '../support/session-client.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const scopes = ['contacts:write', 'contacts:read:pii']
const key = { 'idempotency-key': 'once' }
const ada = { first_name: 'Ada', phone: '+13125550123' }
const mismatch = { status: 409, body: { error: { code: 'idempotency_mismatch' } } }

async function connected() {
  const workspace = await app.workspace()
  const mirror = await registerApp(app, { scopes })
  const tokens = await connect(app, workspace, mirror, { scopes })
  const wide = bearer(app, tokens.access_token)
  const first = await wide.post('/contacts', ada, key)
  expect([first.status, first.body['phone']]).toEqual([201, ada.phone])
  return { workspace, mirror, tokens, wide, first }
}

test('a narrower token of the same grant gets 409 instead of the unmasked response', async () => {
  const { mirror, tokens, wide, first } = await connected()
  const form = { ...refreshForm(mirror, tokens.refresh_token), scope: 'contacts:write' }
  const { body } = await post(app, 'token', form)
  const narrow = bearer(app, String(body['access_token']))
  const rejected = await narrow.post('/contacts', ada, key)
  expect(rejected).toMatchObject(mismatch)
  expect(JSON.stringify(rejected.body)).not.toContain(ada.phone)
  expect((await wide.post('/contacts', ada, key)).body).toEqual(first.body)
})

test('a token of an app that lost a scope gets 409 instead of the unmasked response', async () => {
  const { mirror, wide, first } = await connected()
  const ctx = inWorkspace(app, mirror.app.workspace_id)
  await updateApp(ctx, mirror.app.id, { scopes: ['contacts:write'] })
  expect(await wide.post('/contacts', ada, key)).toMatchObject(mismatch)
  await updateApp(ctx, mirror.app.id, { scopes })
  const again = await wide.post('/contacts', ada, key)
  expect([again.headers.get('idempotency-replayed'), again.body]).toEqual(['true', first.body])
})

test('a token with more scopes than the first request gets 409 too', async () => {
  const { mirror, tokens, wide } = await connected()
  const form = { ...refreshForm(mirror, tokens.refresh_token), scope: 'contacts:write' }
  const { body } = await post(app, 'token', form)
  const narrow = bearer(app, String(body['access_token']))
  expect((await narrow.post('/contacts', ada, { 'idempotency-key': 'narrow' })).status).toBe(201)
  expect(await wide.post('/contacts', ada, { 'idempotency-key': 'narrow' })).toMatchObject(mismatch)
})

test('a member who lost or gained records gets 409, and the first response again once they are back', async () => {
  const workspace = await app.workspace()
  const person = await personIn(workspace, 'isa')
  const client = await sessionClient(app, person, workspace.id)
  const { body } = await client.post('/contacts', ada, key)
  await setMemberRole(workspace.ctx, person.member.id, 'agent')
  const rejected = await client.post('/contacts', ada, key)
  expect(rejected).toMatchObject(mismatch)
  expect(JSON.stringify(rejected.body)).not.toContain(ada.phone)
  expect((await client.post('/contacts', ada, { 'idempotency-key': 'narrow' })).status).toBe(201)
  await setMemberRole(workspace.ctx, person.member.id, 'isa')
  expect(await client.post('/contacts', ada, { 'idempotency-key': 'narrow' })).toMatchObject(mismatch)
  expect((await client.post('/contacts', ada, key)).body).toEqual(body)
})

test('another workspace of the same app or person gets a response of its own', async () => {
  const { workspace, mirror, first } = await connected()
  const elsewhere = await app.workspace()
  const tokens = await connect(app, elsewhere, mirror, { scopes })
  const person = await personIn(workspace)
  await personIn(elsewhere, 'owner', person.email)
  const replies = [first]
  for (const client of [
    bearer(app, tokens.access_token),
    await sessionClient(app, person, workspace.id),
    await sessionClient(app, person, elsewhere.id),
  ])
    replies.push(await client.post('/contacts', ada, key))
  expect(replies.map(({ status }) => status)).toEqual([201, 201, 201, 201])
  expect(new Set(replies.map(({ body }) => body['id'])).size).toBe(4)
})
