import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateApp } from '../../src/modules/oauth/public.ts'
import { bearer, connect, inWorkspace, post, refreshForm, registerApp } from '../oauth/scene.ts'
import { type TestApp, testApp } from '../support/app.ts'

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
