import { afterAll, beforeAll, expect, test } from 'vitest'
import { newSecret } from '../../src/modules/access/secret.ts'
import { setAppEnabled } from '../../src/modules/oauth/public.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import {
  disconnect,
  type RegisteredApp,
  approveApp,
  basic,
  bearer,
  changed,
  codeForm,
  connect,
  expectError,
  inWorkspace,
  newPkce,
  post,
  redirectUri,
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

test.each(['token', 'revoke'])('/oauth/%s allows only POST', async (endpoint) => {
  for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    const { status, headers } = await fetch(`${app.url}/oauth/${endpoint}`, { method })
    expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST'])
  }
})

test.each([
  ['JSON', '{"grant_type":"refresh_token"}', { 'content-type': 'application/json' }],
  ['no content type', 'grant_type=refresh_token', { 'content-type': 'text/plain' }],
  ['an invalid content type', 'grant_type=refresh_token', { 'content-type': 'form' }],
  ['half an escape', 'grant_type=refresh_token&refresh_token=%4', {}],
  ['an invalid escape sequence', 'grant_type=refresh_token&refresh_token=%zz', {}],
  ['bytes that are no UTF-8', 'grant_type=refresh_token&refresh_token=%ff', {}],
  ['a repeated parameter', 'grant_type=refresh_token&scope=a&scope=a', {}],
  ['a repeated empty one', 'grant_type=refresh_token&x=&x=', {}],
  ['a repeated grant_type', 'grant_type=refresh_token&grant_type=refresh_token', {}],
  [
    'too many parameters',
    `grant_type=refresh_token&${Array.from({ length: 64 }, (_, i) => `p${i}=`).join('&')}`,
    {},
  ],
  ['a control character', 'grant_type=refresh_token&refresh_token=%00', {}],
  ['a line break', 'grant_type=refresh_token&refresh_token=a%0ab', {}],
  ['nothing', '', {}],
  ['an empty grant_type', 'grant_type=', {}],
])('the token endpoint rejects %s as invalid_request', async (_what, body, headers) => {
  expectError(await post(app, 'token', body, headers), 'invalid_request')
})

test('accepts a form whose content type names a charset', async () => {
  const form = new URLSearchParams({ grant_type: 'nothing', ...mirror.credentials }).toString()
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' }
  expectError(await post(app, 'token', form, headers), 'unsupported_grant_type')
})

test('accepts a body of 16 KiB and returns 413 for a larger one', async () => {
  const padded = (bytes: number) => `grant_type=nothing&pad=`.padEnd(bytes, 'x')
  expectError(await post(app, 'token', padded(16_384)), 'unsupported_grant_type')
  expectError(await post(app, 'token', padded(16_385)), 'invalid_request', 413)
})

test('reads a form sent in chunks, without a content length, up to the same limit', async () => {
  const send = (form: string) => {
    const chunks = [form.slice(0, 9), form.slice(9)].map((text) => Buffer.from(text))
    return post(app, 'token', ReadableStream.from(chunks))
  }
  const form = codeForm(mirror, await approveApp(workspace, mirror))
  const padded = (bytes: number) => `${new URLSearchParams(form)}&pad=`.padEnd(bytes, 'x')
  expectError(await send(padded(16_385)), 'invalid_request', 413)
  expect((await send(padded(16_384))).status).toBe(200)
})

test.each(['password', 'implicit', 'constructor', '__proto__', 'Refresh_Token'])(
  'grant_type %s is unsupported',
  async (grantType) => {
    expectError(await post(app, 'token', { grant_type: grantType }), 'unsupported_grant_type')
  },
)

test('an unknown client, a wrong secret and a disabled app get the same response', async () => {
  const disabled = await registerApp(app)
  await setAppEnabled(inWorkspace(app, disabled.app.workspace_id), disabled.app.id, false)
  const ask = (id: string, secret: string) =>
    post(app, 'token', { grant_type: 'client_credentials', client_id: id, client_secret: secret })
  const responses = [
    await ask('unknown', newSecret('gbl_cs_')),
    await ask(
      other.app.id.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
      newSecret('gbl_cs_'),
    ),
    await ask(mirror.app.id, newSecret('gbl_cs_')),
    await ask(mirror.app.id, 'wrong'),
    await ask(mirror.app.id, other.secret ?? ''),
    await ask(disabled.app.id, disabled.secret ?? ''),
    await post(app, 'token', { grant_type: 'client_credentials' }, basic(mirror.app.id, 'wrong')),
    await post(app, 'token', { grant_type: 'client_credentials' }, { authorization: 'Basic !!' }),
    await post(
      app,
      'token',
      { grant_type: 'client_credentials' },
      { authorization: `Bearer ${mirror.secret}` },
    ),
    await post(app, 'token', { grant_type: 'client_credentials' }),
    await post(app, 'token', { grant_type: 'client_credentials', client_id: mirror.app.id }),
  ]
  for (const response of responses) {
    expectError(response, 'invalid_client', 401)
    expect(response.body).toEqual(responses[0]?.body)
  }
})

test('two client authentications in one request are invalid_request', async () => {
  const form = { grant_type: 'client_credentials' }
  const header = basic(mirror.app.id, mirror.secret ?? '')
  expectError(
    await post(app, 'token', { ...form, client_secret: mirror.secret ?? '' }, header),
    'invalid_request',
  )
  expectError(await post(app, 'token', { ...form, client_id: other.app.id }, header), 'invalid_request')
})

test('Basic credentials are form-decoded, and the form may repeat the client_id', async () => {
  const encoded = (text: string) =>
    [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
  const tokens = await connect(app, workspace, mirror)
  const header = basic(encoded(mirror.app.id), encoded(mirror.secret ?? ''))
  const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: mirror.app.id }
  expect((await post(app, 'token', form, header)).status).toBe(200)
})

type Change = Record<string, string | undefined>

const incomplete: [string, Change][] = [
  ['no client_id', { client_id: undefined, client_secret: undefined }],
  ['no code', { code: undefined }],
  ['an empty code', { code: '' }],
  ['no redirect_uri', { redirect_uri: undefined }],
  ['no verifier', { code_verifier: undefined }],
  ['a verifier that is too short', { code_verifier: 'x'.repeat(42) }],
  ['a verifier that is too long', { code_verifier: 'x'.repeat(129) }],
  ['a verifier with other characters', { code_verifier: `${'x'.repeat(42)}+` }],
]

const wrong: [string, Change][] = [
  ['an unknown code', { code: newSecret('gbl_ac_') }],
  ['something that is no code', { code: 'x' }],
  ['another redirect_uri', { redirect_uri: `${redirectUri}&more=1` }],
  ['a redirect_uri written otherwise', { redirect_uri: redirectUri.replace('mirror', 'MIRROR') }],
  ['another verifier', { code_verifier: newPkce().verifier }],
]

test.each([...incomplete, ...wrong])('a code with %s is rejected and not consumed', async (what, change) => {
  const approved = await approveApp(workspace, mirror)
  const form = codeForm(mirror, approved)
  const expected = incomplete.some(([name]) => name === what) ? 'invalid_request' : 'invalid_grant'
  expectError(await post(app, 'token', changed(form, change)), expected)
  expect((await post(app, 'token', form)).status).toBe(200)
})

test('another app’s code is invalid_grant and not consumed', async () => {
  const approved = await approveApp(workspace, mirror)
  expectError(await post(app, 'token', codeForm(other, approved)), 'invalid_grant')
  expect((await post(app, 'token', codeForm(mirror, approved))).status).toBe(200)
})

test('a code whose grant has been revoked is invalid_grant, even after the next approval', async () => {
  const there = await app.workspace()
  const approved = await approveApp(there, mirror)
  await disconnect(there, mirror.app.id)
  expectError(await post(app, 'token', codeForm(mirror, approved)), 'invalid_grant')
  await approveApp(there, mirror)
  expectError(await post(app, 'token', codeForm(mirror, approved)), 'invalid_grant')
})

test('a second valid exchange of a code revokes the tokens of the first', async () => {
  const approved = await approveApp(workspace, mirror)
  const form = codeForm(mirror, approved)
  const { body } = await post(app, 'token', form)
  const client = bearer(app, String(body['access_token']))
  for (const [, change] of wrong) await post(app, 'token', changed(form, change))
  await post(app, 'token', codeForm(other, approved))
  expect((await client.get('/ping')).status).toBe(200)
  expectError(await post(app, 'token', form), 'invalid_grant')
  expect((await client.get('/ping')).status).toBe(401)
  expectError(await post(app, 'token', refreshForm(mirror, String(body['refresh_token']))), 'invalid_grant')
})

test('a code can be exchanged without a secret; a secret, if sent, must be correct', async () => {
  const approved = await approveApp(workspace, mirror)
  const form = codeForm(mirror, approved)
  expectError(await post(app, 'token', { ...form, client_secret: 'wrong' }), 'invalid_client', 401)
  expect((await post(app, 'token', changed(form, { client_secret: undefined }))).status).toBe(200)
  const publicForm = codeForm(native, await approveApp(workspace, native))
  expectError(await post(app, 'token', { ...publicForm, client_secret: 'any' }), 'invalid_client', 401)
  expect((await post(app, 'token', publicForm)).status).toBe(200)
})
