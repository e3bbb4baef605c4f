import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiBase, endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { sendVerbatim } from './raw-http.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const origin = 'https://app.example'
const id = 'cmi8h2k5p0000y7w2d5g8j1m4'
const preflight = (path: string, headers: Record<string, string> = {}) =>
  sendVerbatim(app.url, {
    method: 'OPTIONS',
    path,
    headers: { origin, 'access-control-request-method': 'POST', ...headers },
  })
const list = (headers: Headers, name: string) => headers.get(name)?.split(', ') ?? []

test.each([...Map.groupBy(endpoints, ({ path }) => path)])(
  '%s accepts CORS preflight requests',
  async (path, sharing) => {
    const { status, headers, text } = await preflight(apiBase + path.replaceAll(/\{\w+\}/g, id))
    expect([status, text, headers.get('access-control-allow-origin')]).toEqual([204, '', '*'])
    expect(list(headers, 'access-control-allow-methods')).toEqual(
      expect.arrayContaining(sharing.map(({ method }) => method)),
    )
    expect(list(headers, 'access-control-allow-headers').map((name) => name.toLowerCase())).toEqual([
      'authorization',
      'content-type',
      'idempotency-key',
      'if-match',
      'if-none-match',
    ])
    expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0)
    expect(headers.has('access-control-allow-credentials')).toBe(false)
  },
)

test('preflight requests do not count against the rate limit', async () => {
  await using small = await testApp({ anonymousRateLimit: 1 })
  for (let i = 0; i < 5; i++) {
    const { status } = await sendVerbatim(small.url, {
      method: 'OPTIONS',
      path: `${apiBase}/contacts`,
      headers: { origin, 'access-control-request-method': 'GET' },
    })
    expect(status).toBe(204)
  }
})

test('other OPTIONS requests return 405, and a preflight request for an unknown path returns 404', async () => {
  const path = `${apiBase}/contacts`
  expect((await sendVerbatim(app.url, { method: 'OPTIONS', path })).status).toBe(405)
  expect((await sendVerbatim(app.url, { method: 'OPTIONS', path, headers: { origin } })).status).toBe(405)
  expect((await preflight(`${apiBase}/nothing`)).status).toBe(404)
})

test('pages reject preflight requests with 405', async () => {
  for (const path of ['/settings', '/sign-in', '/oauth/authorize', '/docs/']) {
    const { status, headers } = await preflight(path)
    expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 405, null])
  }
})

test('a page of any origin can read every API response, including errors and rate limits', async () => {
  const { key } = await app.credential('contacts:read')
  const authorization = `token ${key}`
  const headersOf: Record<string, string> = { origin, authorization }
  for (const [status, method, path, headers] of [
    [200, 'GET', '/contacts', headersOf],
    [400, 'GET', '/contacts?limit=0', headersOf],
    [400, 'GET', '/%zz', headersOf],
    [401, 'GET', '/contacts', { origin }],
    [401, 'GET', '/contacts', { origin, authorization: 'Bearer gbl_at_x' }],
    [403, 'POST', '/contacts', headersOf],
    [404, 'GET', '/nothing', headersOf],
    [404, 'GET', `/contacts/${id}`, headersOf],
    [405, 'PUT', '/contacts', headersOf],
    [200, 'GET', '/openapi.json', { origin }],
  ] as const) {
    const response = await sendVerbatim(app.url, { method, path: apiBase + path, headers })
    expect([path, response.status]).toEqual([path, status])
    expect(response.headers.get('access-control-allow-origin'), path).toBe('*')
    expect(response.headers.has('access-control-allow-credentials'), path).toBe(false)
    expect(list(response.headers, 'access-control-expose-headers'), path).toEqual(
      expect.arrayContaining([
        'X-Request-Id',
        'X-RateLimit-Limit',
        'X-RateLimit-Remaining',
        'X-RateLimit-Reset',
        'Retry-After',
        'ETag',
        'X-Cursor-Reset',
        'Idempotency-Replayed',
      ]),
    )
    expect(response.headers.get('x-content-type-options'), path).toBe('nosniff')
    // What is the same for everyone has a version, and browsers ask whether it has changed.
    expect(response.headers.get('cache-control'), path).toBe(
      path === '/openapi.json' ? 'no-cache' : 'no-store',
    )
  }
})

test('a page of another origin can read a 429 response', async () => {
  await using small = await testApp({ anonymousRateLimit: 1 })
  const request = { method: 'GET', path: `${apiBase}/ping`, headers: { origin } }
  await sendVerbatim(small.url, request)
  const { status, headers } = await sendVerbatim(small.url, request)
  expect([status, headers.get('access-control-allow-origin')]).toEqual([429, '*'])
})

test('a request with cookies gets no CORS headers', async () => {
  const { key } = await app.credential()
  for (const headers of [
    { origin, cookie: 'gable_session=x' },
    { origin, cookie: 'a=b', authorization: `token ${key}` },
  ]) {
    const response = await sendVerbatim(app.url, { method: 'GET', path: `${apiBase}/contacts`, headers })
    expect(response.headers.get('access-control-allow-origin')).toBe(null)
  }
})
