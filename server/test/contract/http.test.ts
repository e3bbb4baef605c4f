import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { methods } from '#kernel/http/endpoint.ts'
import { apiBase, endpoints, openApi } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'
import { sendVerbatim } from './raw-http.ts'
import { expectError } from './refusals.ts'
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

describe('addresses', () => {
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
  ])('there is nothing at %s: 404', async (path) => {
    for (const method of methods) expectError(await verbatim(method, path), 404, method)
  })

  const paths = [...Map.groupBy(endpoints, ({ path }) => path)]
  test.each(paths)(
    '%s answers a method that it does not have with 405 and those that it has',
    async (_, sharing) => {
      app.clock.advance(60_000)
      const [first] = sharing
      if (first === undefined) return
      const has = sharing.map(({ method }) => method as string)
      for (const method of ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS', 'TRACE']) {
        if (has.includes(method) || (method === 'HEAD' && has.includes('GET'))) continue
        const answer = await verbatim(method, apiBase + pathWithin(first, made), {
          authorization: `token ${agent.key}`,
        })
        if (method === 'HEAD') expect(answer.status).toBe(405)
        else expectError(answer, 405, method)
        expect(
          answer.headers
            .get('allow')
            ?.split(', ')
            .filter((name) => name !== 'HEAD')
            .toSorted(),
          method,
        ).toEqual(has.toSorted())
      }
    },
  )

  test.each(endpoints.filter(({ method }) => method === 'GET'))(
    'HEAD $path answers what GET answers, without its body',
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

test('request ids are unique, and nobody can choose them', async () => {
  const answers = await Promise.all(
    Array.from({ length: 100 }, () =>
      app.anonymous.get('/openapi.json', { 'x-request-id': 'mine', 'request-id': 'mine' }),
    ),
  )
  const ids = answers.map(({ headers }) => headers.get('x-request-id'))
  expect(new Set(ids).size).toBe(100)
  for (const id of ids) expect(id).toMatch(/^req_c[a-z0-9]{24}$/)
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
    const scripts = [...html.matchAll(/<(?:script|link|img|iframe)[^>]+(?:src|href)="([^"]+)"/g)].map(
      ([, url]) => url ?? '',
    )
    expect(scripts).not.toEqual([])
    for (const url of scripts) expect((await fetch(new URL(url, page.url))).status, url).toBe(200)
  })
})
