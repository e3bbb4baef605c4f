import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

const origin = 'https://public-app.example'

const preflight = (path: string, method: string) =>
  fetch(app.url + path, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': method,
      'access-control-request-headers': 'authorization, content-type',
    },
  })

test.each([
  ['/oauth/token', 'POST'],
  ['/oauth/revoke', 'POST'],
  ['/.well-known/oauth-authorization-server', 'GET'],
])('pages of any origin can call %s, without cookies', async (path, method) => {
  const { status, headers } = await preflight(path, method)
  expect([status, headers.get('access-control-allow-origin')]).toEqual([204, '*'])
  expect(headers.get('access-control-allow-methods')).toContain(method)
  expect(headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type')
  for (const body of method === 'POST' ? ['', 'grant_type=nothing&token=x'] : [null]) {
    const response = await fetch(app.url + path, {
      method,
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.has('access-control-allow-credentials')).toBe(false)
  }
})

test.each(['/oauth/authorize', '/sign-in', '/settings'])(
  'pages of another origin cannot call %s',
  async (path) => {
    for (const response of [
      await preflight(path, 'GET'),
      await fetch(app.url + path, { headers: { origin }, redirect: 'manual' }),
    ]) {
      expect(response.status).not.toBe(204)
      expect([...response.headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
  },
)
