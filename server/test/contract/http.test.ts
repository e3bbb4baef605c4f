import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { methods } from '#kernel/http/endpoint.ts'
import { apiBase, endpoints, openApi } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { assertAnnounced } from '../support/contract.ts'
import { type RawAnswer, exchange, sendVerbatim } from './raw-http.ts'
import { makeRecords, pathWithin } from './requests.ts'

let app: TestApp
let agent: Client
let made: ReadonlyMap<string, string>

beforeAll(async () => {
  app = await testApp()
  agent = await app.credential()
  made = await makeRecords(agent)
})

afterAll(() => app[Symbol.asyncDispose]())

/** Every refusal, wherever it comes from, has the one shape, a request id and the state of the rate. */
function expectError({ status, headers, text }: RawAnswer, expected: number, what = ''): void {
  expect([what, status]).toEqual([what, expected])
  const body = JSON.parse(text)
  assertAnnounced('TRACE', `${app.url}/`, status, headers, body)
  expect(body.error.request_id, what).toBe(headers.get('x-request-id'))
  for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`), what).toMatch(/^\d+$/)
}

const verbatim = (method: string, path: string, headers: Record<string, string> = {}) => sendVerbatim(app.url, { method, path, headers })

describe('addresses', () => {
  test.each(['/', apiBase, `${apiBase}/`, `${apiBase}/nothing`, `/${apiBase}/contacts`, `${apiBase}/Contacts`, '/contacts', '/v2/contacts', '/.env', '/metrics'])(
    'there is nothing at %s: 404', async (path) => {
      for (const method of methods) expectError(await verbatim(method, path), 404, method)
    },
  )

  const paths = [...Map.groupBy(endpoints, ({ path }) => path)]
  test.each(paths)('%s answers a method that it does not have with 405 and those that it has', async (_, sharing) => {
    app.clock.advance(60_000)
    const [first] = sharing
    if (first === undefined) return
    const has = sharing.map(({ method }) => method as string)
    for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
      if (has.includes(method) || (method === 'HEAD' && has.includes('GET'))) continue
      const answer = await verbatim(method, apiBase + pathWithin(first, made), { authorization: `token ${agent.key}` })
      if (method === 'HEAD') expect(answer.status).toBe(405)
      else expectError(answer, 405, method)
      expect(answer.headers.get('allow')?.split(', ').filter((name) => name !== 'HEAD').toSorted(), method).toEqual(has.toSorted())
    }
  })

  test.each(endpoints.filter(({ method }) => method === 'GET'))('HEAD $path answers what GET answers, without its body', async (endpoint) => {
    app.clock.advance(60_000)
    const path = apiBase + pathWithin(endpoint, made)
    const headers = { authorization: `token ${agent.key}` }
    const [get, head] = [await verbatim('GET', path, headers), await verbatim('HEAD', path, headers)]
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'x-ratelimit-limit']) expect(head.headers.get(name)).toBe(get.headers.get(name))
  })
})

describe('what is not HTTP', () => {
  const line = (path: string, headers = 'host: gable.example\r\nconnection: close\r\n') => `GET ${path} HTTP/1.1\r\n${headers}\r\n`
  const json = 'host: gable.example\r\nconnection: close\r\ncontent-type: application/json\r\n'

  test.each([
    ['noise', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],
    ['words', 'please let me in\r\n\r\n'],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/2 without being asked', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\n\r\n'],
    ['a request without Host', line(`${apiBase}/ping`, 'connection: close\r\n')],
    ['a header without a colon', line(`${apiBase}/ping`, 'host: a\r\nnonsense\r\n')],
    ['a space before the colon', line(`${apiBase}/ping`, 'host : a\r\n')],
    ['NUL in a header', line(`${apiBase}/ping`, 'host: a\r\nx: a\0b\r\n')],
    ['a folded header', line(`${apiBase}/ping`, 'host: a\r\nx: a\r\n b\r\n')],
    ['a space in the path', line(`${apiBase}/contacts/a b`)],
    ['two lengths', `POST ${apiBase}/contacts HTTP/1.1\r\n${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`],
    ['a length that is none', `POST ${apiBase}/contacts HTTP/1.1\r\n${json}content-length: -1\r\n\r\n{}`],
    ['a length and chunks', `POST ${apiBase}/contacts HTTP/1.1\r\n${json}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['chunks of no size', `POST ${apiBase}/contacts HTTP/1.1\r\n${json}authorization: token KEY\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n`],
  ])('%s is answered 400', async (what, bytes) => {
    expectError(await exchange(app.url, Buffer.from(bytes.replace('KEY', agent.key ?? ''), 'latin1')), 400, what)
  })

  test.each([
    ['one header of 20 kB', { 'x-long': 'x'.repeat(20_000) }],
    ['headers of 20 kB together', Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'x'.repeat(100)]))],
  ])('%s is answered 431', async (what, headers) => {
    expectError(await verbatim('GET', `${apiBase}/ping`, headers), 431, what)
  })

  test('an address of 20 kB is answered 431', async () => {
    expectError(await verbatim('GET', `${apiBase}/contacts?q=${'x'.repeat(20_000)}`), 431)
  })

  test('an expectation that nobody can meet is passed over or answered 417', async () => {
    const answer = await verbatim('GET', `${apiBase}/ping`, { expect: 'miracles' })
    expectError(answer, answer.status === 417 ? 417 : 401)
  })

  test('a peer that does not close its side is cut off', async () => {
    const { hostname, port } = new URL(app.url)
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).on('error', () => {})
    socket.write('noise\r\n\r\n')
    await once(socket.resume(), 'end')
    await vi.waitFor(() => {
      socket.write('more')
      expect(socket.destroyed).toBe(true)
    }, 4000)
  })
})

describe('request ids', () => {
  test('are unique, and nobody can choose them', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => app.anonymous.get('/openapi.json', { 'x-request-id': 'mine', 'request-id': 'mine' })),
    )
    const ids = answers.map(({ headers }) => headers.get('x-request-id'))
    expect(new Set(ids).size).toBe(100)
    for (const id of ids) expect(id).toMatch(/^req_c[a-z0-9]{24}$/)
  })
})

describe('what needs no credential', () => {
  test('the document is the one that the table makes', async () => {
    expect((await app.anonymous.get('/openapi.json')).body).toEqual(JSON.parse(JSON.stringify(openApi)))
  })

  test.each(['/livez', '/readyz'])('%s is well', async (path) => {
    const answer = await verbatim('GET', path)
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { status: 'ok' }])
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/)
  })

  test('the reference is a page that refers to no other host, and so is all that it loads', async () => {
    const page = await fetch(`${app.url}/docs`)
    expect(page.headers.get('content-type')).toMatch(/^text\/html/)
    const html = await page.text()
    expect(html.match(/(?:https?:)?\/\/[\w.-]+/g) ?? []).toEqual([])
    const scripts = [...html.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)].map(([, url]) => url ?? '')
    expect(scripts).not.toEqual([])
    for (const url of scripts) expect((await fetch(new URL(url, page.url))).status, url).toBe(200)
  })
})
