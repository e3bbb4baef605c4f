import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methods } from '#kernel/http/endpoint.ts'
import { apiBase, endpoints, openApi } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { idsIn, ofEachForm } from './forms.ts'
import { sendVerbatim } from './raw-http.ts'
import { expectError } from './rejections.ts'
import { makeRecords, pathWithin } from './requests.ts'

let app: TestApp
let agent: Client
let made: ReadonlyMap<string, string[]>

beforeAll(async () => {
  app = await testApp()
  agent = await app.credential()
  made = await makeRecords(agent)
})

afterAll(() => app[Symbol.asyncDispose]())

const verbatim = (method: string, path: string, headers: Record<string, string> = {}) =>
  sendVerbatim(app.url, { method, path, headers })

describe('routing', () => {
  test.each([
    apiBase,
    `${apiBase}/`,
    `${apiBase}/nothing`,
    `/${apiBase}/contacts`,
    `${apiBase}/Contacts`,
    '/contacts',
    '/v2/contacts',
    '/.env',
    '/metrics',
  ])('%s returns 404 for every method', async (path) => {
    for (const method of methods) expectError(await verbatim(method, path), 404, method)
  })

  /** The router knows of a path only its ids and its methods; methods.test.ts tries one method at every path. */
  const paths = ofEachForm([...Map.groupBy(endpoints, ({ path }) => path)], ([path, sharing]) => [
    idsIn(path),
    ...sharing.map(({ method }) => method),
  ])
  test.each(paths)('%s returns 405 with an Allow header for any other method', async (_, sharing) => {
    app.clock.advance(60_000)
    const [first] = sharing
    if (first === undefined) return
    const has = sharing.map(({ method }) => method as string)
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
      if (has.includes(method) || (method === 'HEAD' && has.includes('GET'))) continue
      const response = await verbatim(method, apiBase + pathWithin(first, made), {
        authorization: `token ${agent.key}`,
      })
      if (method === 'HEAD') expect(response.status).toBe(405)
      else expectError(response, 405, method)
      expect(
        response.headers
          .get('allow')
          ?.split(', ')
          .filter((name) => name !== 'HEAD')
          .toSorted(),
        method,
      ).toEqual(has.toSorted())
    }
  })

  test.each(endpoints.filter(({ method }) => method === 'GET'))(
    'HEAD $path returns the headers of GET without a body',
    async (endpoint) => {
      app.clock.advance(60_000)
      const path = apiBase + pathWithin(endpoint, made)
      const headers = { authorization: `token ${agent.key}` }
      const [get, head] = [await verbatim('GET', path, headers), await verbatim('HEAD', path, headers)]
      expect([head.status, head.text]).toEqual([200, ''])
      for (const name of ['content-type', 'content-length', 'x-ratelimit-limit'])
        expect(head.headers.get(name)).toBe(get.headers.get(name))
    },
  )
})

test('request IDs are unique, and callers cannot choose them', async () => {
  const responses = await Promise.all(
    Array.from({ length: 100 }, () =>
      app.anonymous.get('/ping', { 'x-request-id': 'mine', 'request-id': 'mine' }),
    ),
  )
  const ids = responses.map(({ headers }) => headers.get('x-request-id'))
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(id).toMatch(/^req_c[a-z0-9]{24}$/)
})

describe('paths that need no credential', () => {
  test('/openapi.json serves the OpenAPI document', async () => {
    expect((await app.anonymous.get('/openapi.json')).body).toEqual(JSON.parse(JSON.stringify(openApi())))
  })

  test.each(['/v1/openapi.json', '/docs/', '/docs/reference.js'])(
    '%s is compressed as the request accepts, and has a version for each encoding',
    async (path) => {
      const plain = await verbatim('GET', path, { 'accept-encoding': 'identity' })
      const versions = new Set([plain.headers.get('etag')])
      for (const [accepted, encoding] of [
        ['gzip, deflate, br, zstd', 'br'],
        ['gzip, br;q=0', 'gzip'],
      ] as const) {
        const headers = { 'accept-encoding': accepted }
        const response = await fetch(app.url + path, { headers })
        expect(response.headers.get('content-encoding')).toBe(encoding)
        expect(response.headers.get('vary')).toBe('accept-encoding')
        expect(await response.text()).toBe(plain.text)
        const etag = response.headers.get('etag') ?? ''
        versions.add(etag)
        for (const version of [etag, `"other", W/${etag}`, '*']) {
          const unchanged = await verbatim('GET', path, { ...headers, 'if-none-match': version })
          expect([unchanged.status, unchanged.text, unchanged.headers.get('etag')]).toEqual([304, '', etag])
        }
        expect((await verbatim('GET', path, { ...headers, 'if-none-match': '"other"' })).status).toBe(200)
      }
      expect(versions.size).toBe(3)
      expect(plain.headers.get('content-encoding')).toBeNull()
    },
  )

  test('a key in the examples of the reference has the form that the server accepts', async () => {
    const html = await (await fetch(`${app.url}/docs/api`)).text()
    expect(html.replaceAll('&quot;', '"')).toContain('"apiKey":{"value":"token gbl_key_')
  })

  test.each(['/livez', '/readyz'])('%s returns 200', async (path) => {
    const response = await verbatim('GET', path)
    expect([response.status, JSON.parse(response.text)]).toEqual([200, { status: 'ok' }])
    expect(response.headers.get('x-request-id')).toMatch(/^req_/)
  })

  test.each(['/docs', '/docs/api'])('%s and what it loads are served by this server', async (path) => {
    const page = await fetch(app.url + path)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    const html = await page.text()
    expect(html.match(/(?:https?:)?\/\/[\w.-]+/g) ?? []).toEqual([])
    const scripts = [...html.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url ?? '',
    )
    expect(scripts).not.toEqual([])
    for (const url of scripts) expect((await fetch(new URL(url, page.url))).status, url).toBe(200)
  })
})

test.each([
  ['https://gable.example', 'max-age=31536000'],
  ['http://gable.example', null],
])('with the public URL %s, Strict-Transport-Security is %s', async (publicUrl, expected) => {
  await using other = await testApp({ publicUrl })
  for (const path of ['/sign-in', '/docs/', '/oauth/token', '/livez', `${apiBase}/ping`, '/nothing']) {
    const response = await sendVerbatim(other.url, { method: 'GET', path })
    expect([path, response.headers.get('strict-transport-security')]).toEqual([path, expected])
  }
})
