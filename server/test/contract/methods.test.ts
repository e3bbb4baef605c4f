import { METHODS } from 'node:http'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiBase, endpoints } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { ofEachForm } from './forms.ts'
import { sendVerbatim } from './raw-http.ts'
import { expectError } from './rejections.ts'

let app: TestApp
const logged = new PassThrough()

beforeAll(async () => void (app = await testApp({ log: pino({ level: 'warn' }, logged) })))
afterAll(() => app[Symbol.asyncDispose]())

const id = 'cmi8h2k5p0000y7w2d5g8j1m4'
const apiPaths = [...Map.groupBy(endpoints, ({ path }) => path)].map(
  ([path, sharing]) =>
    [apiBase + path.replaceAll(/\{\w+\}/g, id), sharing.map(({ method }) => method as string)] as const,
)

async function expectNotAllowed(path: string, has: string[], method: string): Promise<void> {
  const response = await sendVerbatim(app.url, { method, path })
  expectError(response, 405, method)
  expect(response.headers.get('allow')?.split(', '), method).toEqual(expect.arrayContaining(has))
}

test.each(apiPaths)('%s returns 405 for an unsupported method', async (path, has) => {
  await expectNotAllowed(path, has, has.includes('PATCH') ? 'PUT' : 'PATCH')
})

/** The router knows of a path only its ids and its methods. */
const ofEachPath = ofEachForm(apiPaths, ([path, has]) => [path.split(id).length, ...has])

test.each(ofEachPath)('%s returns 405 for every unsupported method', async (path, has) => {
  for (const method of METHODS.filter((name) => !['CONNECT', 'HEAD', ...has].includes(name)))
    await expectNotAllowed(path, has, method)
})

test.each([
  ['/oauth/token', ['POST']],
  ['/oauth/revoke', ['POST']],
  ['/.well-known/oauth-authorization-server', ['GET']],
  ['/oauth/authorize', ['GET', 'POST']],
  ['/settings', ['GET']],
  ['/sign-in', ['GET', 'POST']],
  ['/livez', ['GET']],
  ['/readyz', ['GET']],
  ['/docs', ['GET']],
  ['/docs/', ['GET']],
])('plain route %s returns 405 for every unsupported method', async (path, has) => {
  for (const method of METHODS.filter((name) => name !== 'CONNECT')) {
    if (has.includes(method) || (method === 'HEAD' && has.includes('GET'))) continue
    const { status, headers } = await sendVerbatim(app.url, { method, path })
    expect([method, status]).toEqual([method, 405])
    expect(headers.get('allow')?.split(', '), method).toEqual(expect.arrayContaining(has))
    expect(headers.get('x-request-id'), method).toMatch(/^req_/)
  }
})

test.each(['/', '/nothing', `${apiBase}/nothing`, '//', '/*'])(
  '%s returns 404 for every method, or 405 for methods other than GET if it is the root',
  async (path) => {
    for (const method of METHODS.filter((name) => name !== 'CONNECT' && name !== 'HEAD')) {
      if (path === '/' && method === 'GET') continue
      const response = await sendVerbatim(app.url, { method, path })
      if (path === '/') expect([method, response.status]).toEqual([method, 405])
      else expectError(response, 404, method)
    }
  },
)

test.each(['FOO', 'get', 'Post', 'M-X', 'GETT', 'X'.repeat(100)])(
  'an unknown HTTP method (%s) returns 501',
  async (method) => {
    for (const path of [`${apiBase}/contacts`, '/oauth/token', '/nothing'])
      expectError(await sendVerbatim(app.url, { method, path }), 501, method)
  },
)

test('OPTIONS * and CONNECT return the standard error format', async () => {
  expectError(await sendVerbatim(app.url, { method: 'OPTIONS', path: '*' }), 404)
  expectError(await sendVerbatim(app.url, { method: 'CONNECT', path: 'gable.example:443' }), 501)
})

test('a request target may be an absolute URL', async () => {
  const { status, text: body } = await sendVerbatim(app.url, {
    method: 'GET',
    path: `http://gable.example${apiBase}/openapi.json`,
  })
  expect([status, JSON.parse(body).openapi]).toEqual([200, '3.1.1'])
})

test('none of these requests logs a warning or an error', async () => {
  logged.end()
  expect(await text(logged)).toBe('')
})
