import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate } from 'node:timers/promises'
import pino from 'pino'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import type { Principal } from './authentication.ts'
import { endpoint, ok, pagedEndpoint } from './endpoint.ts'
import { ListOf } from './paging.ts'
import { createHttpServer } from './server.ts'

const principal: Principal = {
  workspaceId: 'a workspace',
  credentialId: 'a credential',
  scheme: 'Token',
  actor: { type: 'system', id: null, name: 'test' },
  scopes: new Set(),
  reach: 'all',
}
const authentication = { principal, rate: { limit: 1, remaining: 1, resetAt: 0 } }

const large = 'x'.repeat(32 * 1024 * 1024)

/** Starts a server on a real port, with a few endpoints and a short request timeout. */
async function listening({
  handle = async () => ({}),
  timeoutMs = 200,
}: { handle?: () => Promise<object>; timeoutMs?: number } = {}) {
  const app = await testApp()
  const logged = new PassThrough()
  const server = createHttpServer({
    provide: async () => ({}),
    runtime: { ...app.runtime, log: pino({ level: 'warn' }, logged) },
    authenticator: { authenticate: async () => authentication, countAnonymous: () => authentication },
    endpoints: [
      endpoint('POST /echo', {
        scope: 'any',
        summary: 'Echo',
        tag: 'Test',
        body: Type.Object({}),
        responses: { 200: Type.Object({}) },
        handle: async () => ok(await handle()),
      }),
      endpoint('GET /large', {
        scope: 'any',
        summary: 'More than what the buffers of a connection hold',
        tag: 'Test',
        responses: { 200: Type.Object({}) },
        handle: async () => ok({ large }),
      }),
      pagedEndpoint('GET /list', {
        scope: 'any',
        summary: 'An empty list',
        tag: 'Test',
        responses: { 200: ListOf(Type.Object({ id: Type.String() })) },
        async handle() {
          await handle()
          return ok({ data: [], next_cursor: null, has_more: false })
        },
      }),
    ],
    base: '/v1',
    routes: [],
    trustProxy: 0,
    https: false,
    arrival: { timeoutMs, checkMs: 50 },
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const { port } = server.server.address() as { port: number }
  return {
    server,
    url: `http://127.0.0.1:${port}`,
    open: () => connect(port, '127.0.0.1'),
    async log() {
      await server.close()
      logged.end()
      return text(logged)
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await app[Symbol.asyncDispose]()
    },
  }
}

const head = 'POST /v1/echo HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 10\r\n'

test('by default, a request must arrive within 30 s, and a connection may be silent for a minute', async () => {
  await using app = await testApp()
  const { server } = createHttpServer({
    provide: async () => ({}),
    runtime: app.runtime,
    authenticator: { authenticate: async () => authentication, countAnonymous: () => authentication },
    endpoints: [],
    base: '/v1',
    routes: [],
    trustProxy: 0,
    https: false,
  })
  expect([server.requestTimeout, server.headersTimeout, server.timeout]).toEqual([30_000, 30_000, 60_000])
})

test.each([
  ['a body that never comes', `${head}\r\n`],
  ['half a body', `${head}\r\n{"a":`],
  ['half the headers', head],
  ['half a request line', 'POST /v1'],
])('%s returns 408 in the standard error format', async (_, bytes) => {
  await using scene = await listening()
  const socket = scene.open()
  socket.write(bytes)
  const response = await text(socket)
  expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(JSON.parse(response.slice(response.indexOf('\r\n\r\n')))).toEqual({
    error: {
      code: 'request_timeout',
      message: 'The request took too long to arrive.',
      request_id: expect.stringMatching(/^req_/),
      doc_url: expect.stringMatching(/\/docs\/errors#request_timeout$/),
    },
  })
  expect(await scene.log()).toBe('')
})

test.each([
  ['before its body', `${head}\r\n`],
  ['in its body', `${head}\r\n{"a":`],
])('a client that hangs up %s is not logged', async (_, bytes) => {
  await using scene = await listening()
  const socket = scene.open()
  socket.write(bytes)
  const [, response] = await once(scene.server.server, 'request')
  socket.destroy()
  await once(response, 'close')
  expect(await scene.log()).toBe('')
})

test('a client that hangs up before the response is not logged', async () => {
  const held = Promise.withResolvers<object>()
  const begun = Promise.withResolvers<void>()
  await using scene = await listening({
    handle: () => {
      begun.resolve()
      return held.promise
    },
  })
  const socket = scene.open()
  socket.write(`${head}\r\n{"a":true}`)
  const [, response] = await once(scene.server.server, 'request')
  await begun.promise
  socket.destroy()
  await once(response, 'close')
  held.resolve({})
  expect(await scene.log()).toBe('')
})

const get = (path: string) => `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`

test('a caller that does not read its responses gets 429 until it has read them', async () => {
  await using scene = await listening({ timeoutMs: 20_000 })
  const echo = () =>
    fetch(`${scene.url}/v1/echo`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json' },
    })
  const socket = scene.open()
  socket.write(get('/v1/large'))
  const [, waiting] = await once(scene.server.server, 'request')
  await once(socket, 'readable')
  const rejected = await echo()
  expect([rejected.status, rejected.headers.get('retry-after'), await rejected.json()]).toEqual([
    429,
    '1',
    { error: expect.objectContaining({ code: 'rate_limited' }) },
  ])
  const read = once(waiting, 'close')
  expect((await text(socket)).length).toBeGreaterThan(large.length)
  await read
  expect((await echo()).status).toBe(200)
  const gone = scene.open()
  gone.write(get('/v1/large'))
  const [, dropped] = await once(scene.server.server, 'request')
  await once(gone, 'readable')
  gone.destroy()
  await once(dropped, 'close')
  expect((await echo()).status).toBe(200)
})

test('concurrent requests for large responses get 429 beyond what fits in memory', async () => {
  await using scene = await listening({ timeoutMs: 20_000 })
  const sockets = Array.from({ length: 10 }, () => scene.open())
  const begun = sockets.map(async (socket) => {
    socket.write(get('/v1/large'))
    await once(socket, 'readable')
    return String(socket.read(12))
  })
  const statuses = (await Promise.all(begun)).map((line) => Number(line.split(' ')[1]))
  expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 9 }, () => 429)])
  for (const socket of sockets) socket.destroy()
})

test('concurrent list requests of a caller run at most eight at a time', async () => {
  let running = 0
  let most = 0
  const full = Promise.withResolvers<void>()
  await using scene = await listening({
    timeoutMs: 20_000,
    async handle() {
      most = Math.max(most, ++running)
      if (running === 8) full.resolve()
      await full.promise
      await setImmediate()
      running -= 1
      return {}
    },
  })
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await fetch(`${scene.url}/v1/list`)).status),
  )
  expect(statuses).toEqual(Array.from({ length: 40 }, () => 200))
  expect(most).toBe(8)
})
