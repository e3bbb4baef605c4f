import { afterAll, beforeAll, expect, test } from 'vitest'
import { setAppEnabled } from '../../src/modules/oauth/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Browser, personIn, signedInBrowser } from '../support/browser.ts'
import { type RegisteredApp, inWorkspace, newPkce, redirectUri, registerApp } from './scene.ts'

let app: TestApp
let owner: Browser
let mirror: RegisteredApp
let native: RegisteredApp

beforeAll(async () => {
  app = await testApp()
  owner = await signedInBrowser(app, await personIn(await app.workspace()))
  mirror = await registerApp(app, { scopes: ['contacts:write', 'leads:read'] })
  native = await registerApp(app, {
    confidential: false,
    redirect_uris: [
      'http://127.0.0.1/done',
      'http://[::1]:80/',
      'http://localhost',
      'com.example.desktop:/done',
    ],
  })
})
afterAll(() => app[Symbol.asyncDispose]())

const valid = (): Record<string, string> => ({
  client_id: mirror.app.id,
  redirect_uri: redirectUri,
  response_type: 'code',
  scope: 'contacts:read leads:read',
  state: 'a state',
  code_challenge: newPkce().challenge,
  code_challenge_method: 'S256',
})

const without = (name: string) => {
  const { [name]: _, ...rest } = valid()
  return rest
}

const queryOf = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString()

async function ask(query: string) {
  // The header that a browser sends when a person follows a link on the app's own site.
  const { status, headers, body } = await owner.get(`/oauth/authorize?${query}`, {
    'sec-fetch-site': 'cross-site',
  })
  return { status, headers, location: headers.get('location'), text: body }
}

async function expectPage(query: string, status = 400, text = ''): Promise<void> {
  const response = await ask(query)
  expect([response.status, response.location]).toEqual([status, null])
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.text).toContain(text)
  expect(response.text).not.toMatch(/<script/)
}

async function expectRedirect(query: string, error: string, state: string | null = 'a state') {
  const { status, location, headers } = await ask(query)
  expect(status).toBe(303)
  expect(location?.startsWith(`${redirectUri}&error=${error}&`)).toBe(true)
  const { searchParams, hash } = new URL(location ?? '')
  expect([searchParams.get('state'), searchParams.get('iss'), searchParams.get('of'), hash]).toEqual([
    state,
    app.url,
    'gable',
    '',
  ])
  expect(searchParams.has('code')).toBe(false)
  expect(headers.get('referrer-policy')).toBe('same-origin')
}

test('a valid request shows the consent page', async () => {
  await expectPage(queryOf(valid()), 200, 'An app asks for access')
})

test.each([
  ['no client_id', () => queryOf(without('client_id'))],
  ['an empty client_id', () => queryOf({ ...valid(), client_id: '' })],
  ['an unknown client_id', () => queryOf({ ...valid(), client_id: 'c'.padEnd(25, '0') })],
  ['something that is no id', () => queryOf({ ...valid(), client_id: '<script>' })],
  ['a repeated client_id', () => `${queryOf(valid())}&client_id=${mirror.app.id}`],
  ['a client_id that cannot be read', () => `${queryOf(without('client_id'))}&client_id=%zz`],
  ['no redirect_uri', () => queryOf(without('redirect_uri'))],
  ['a repeated redirect_uri', () => `${queryOf(valid())}&redirect_uri=${encodeURIComponent(redirectUri)}`],
  ['a redirect_uri that cannot be read', () => `${queryOf(without('redirect_uri'))}&redirect_uri=%ff`],
  ['another redirect_uri', () => queryOf({ ...valid(), redirect_uri: 'https://evil.example/' })],
  ['a longer redirect_uri', () => queryOf({ ...valid(), redirect_uri: `${redirectUri}x` })],
  ['a redirect_uri in capitals', () => queryOf({ ...valid(), redirect_uri: redirectUri.toUpperCase() })],
  ['too many parameters', () => `${queryOf(valid())}&${'x=&'.repeat(64)}`],
  ['a name that cannot be read', () => `${queryOf(valid())}&%zz=1`],
  ['nothing', () => ''],
])('%s returns a 400 page, never a redirect', (_what, query) => expectPage(query()))

test('a disabled app is reported as nonexistent', async () => {
  const off = await registerApp(app)
  await setAppEnabled(inWorkspace(app, off.app.workspace_id), off.app.id, false)
  await expectPage(queryOf({ ...valid(), client_id: off.app.id }), 400, 'This app does not exist.')
})

test.each([
  ['a repeated scope', () => `${queryOf(valid())}&scope=leads:read`, 'invalid_request'],
  ['a repeated unknown parameter', () => `${queryOf(valid())}&x=1&x=1`, 'invalid_request'],
  ['a parameter that cannot be read', () => `${queryOf(valid())}&x=%e0%a4`, 'invalid_request'],
  ['no response_type', () => queryOf(without('response_type')), 'invalid_request'],
  [
    'the response_type token',
    () => queryOf({ ...valid(), response_type: 'token' }),
    'unsupported_response_type',
  ],
  [
    'two response types',
    () => queryOf({ ...valid(), response_type: 'code token' }),
    'unsupported_response_type',
  ],
  ['no code_challenge', () => queryOf(without('code_challenge')), 'invalid_request'],
  [
    'a short code_challenge',
    () => queryOf({ ...valid(), code_challenge: 'x'.repeat(42) }),
    'invalid_request',
  ],
  [
    'a challenge that is no base64url',
    () => queryOf({ ...valid(), code_challenge: `${'x'.repeat(42)}=` }),
    'invalid_request',
  ],
  ['no method, which means plain', () => queryOf(without('code_challenge_method')), 'invalid_request'],
  ['the method plain', () => queryOf({ ...valid(), code_challenge_method: 'plain' }), 'invalid_request'],
  ['the method s256', () => queryOf({ ...valid(), code_challenge_method: 's256' }), 'invalid_request'],
  ['no scope', () => queryOf(without('scope')), 'invalid_scope'],
  ['an empty scope', () => queryOf({ ...valid(), scope: '  ' }), 'invalid_scope'],
  ['an unknown scope', () => queryOf({ ...valid(), scope: 'contacts:read everything' }), 'invalid_scope'],
  [
    'a scope that the app has not registered',
    () => queryOf({ ...valid(), scope: 'leads:write' }),
    'invalid_scope',
  ],
])('%s is reported to the app in a redirect', (_what, query, error) => expectRedirect(query(), error))

test.each(['a state', 'a+b', 'ü 🏠', '&=?#%', "';--", '\r\nSet-Cookie: x=y', ' ', 'x'.repeat(4000)])(
  'an error redirect returns the state %j unchanged',
  (state) => expectRedirect(queryOf({ ...valid(), scope: 'nonsense', state }), 'invalid_scope', state),
)

test('no state is returned if the request has none or two', async () => {
  await expectRedirect(queryOf({ ...without('state'), scope: 'nonsense' }), 'invalid_scope', null)
  await expectRedirect(`${queryOf(valid())}&state=other`, 'invalid_request', null)
})

test('an implied scope can be requested', async () => {
  await expectPage(queryOf({ ...valid(), scope: 'contacts:read' }), 200)
})

test.each([
  ['http://127.0.0.1/done', true],
  ['http://127.0.0.1:49152/done', true],
  ['http://127.0.0.1:65536/done', false],
  ['http://127.0.0.1:/done', false],
  ['http://127.0.0.1:49152/done/', false],
  ['http://127.0.0.1:49152/other', false],
  ['http://127.0.0.1:49152', false],
  ['https://127.0.0.1:49152/done', false],
  ['http://localhost:49152/done', false],
  ['http://127.0.0.2:49152/done', false],
  ['http://127.0.0.1:49152@evil.example/done', false],
  ['http://127.0.0.1.evil.example/done', false],
  ['http://[::1]:49152/', true],
  ['http://[::1]/', true],
  ['http://[::1]', false],
  ['http://localhost:3000', true],
  ['http://localhost:3000/', false],
  ['http://LOCALHOST:3000', false],
  ['com.example.desktop:/done', true],
  ['com.example.desktop:/done?', false],
])('the redirect URI %s matches a native app’s registered URIs: %s', async (uri, matches) => {
  await expectPage(queryOf({ ...valid(), client_id: native.app.id, redirect_uri: uri }), matches ? 200 : 400)
})

test('PUT returns 405 with the allowed methods', async () => {
  const { status, headers } = await fetch(`${app.url}/oauth/authorize?${queryOf(valid())}`, {
    method: 'PUT',
  })
  expect([status, headers.get('allow')]).toEqual([405, 'GET, POST, HEAD'])
})

test('metadata lists the issuer, the endpoints, and PKCE and iss support', async () => {
  const response = await fetch(`${app.url}/.well-known/oauth-authorization-server`)
  expect(response.headers.get('content-type')).toMatch(/^application\/json/)
  expect(await response.json()).toMatchObject({
    issuer: app.url,
    authorization_endpoint: `${app.url}/oauth/authorize`,
    token_endpoint: `${app.url}/oauth/token`,
    revocation_endpoint: `${app.url}/oauth/revoke`,
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  })
})
