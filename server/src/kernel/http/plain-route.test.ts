import { once } from 'node:events'
import { type IncomingMessage, request as send } from 'node:http'
import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { Unavailable } from '../errors.ts'
import type { PlainRequest, PlainResponse } from './plain-route.ts'
import { createHttpServer } from './server.ts'

const text = (body: string, status = 200): PlainResponse => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})

const authentication = { principal: null, rate: { limit: 1, remaining: 1, resetAt: 0 } }

/** Starts a server with plain routes. The test handles POST. */
async function serving(handle: (request: PlainRequest) => Promise<PlainResponse>) {
  const app = await testApp()
  const methods = { GET: async ({ query }: PlainRequest) => text(query), POST: handle }
  const server = createHttpServer({
    provide: async () => ({}),
    runtime: app.runtime,
    authenticator: { authenticate: async () => authentication, countAnonymous: () => authentication },
    endpoints: [],
    base: '/v1',
    trustProxy: 0,
    https: true,
    routes: [
      {
        path: '/here',
        maxBodyBytes: 10,
        methods,
        errorResponse: ({ code, status, body }) => text(`${code}: ${body.message}`, status),
      },
      { path: '/large', maxBodyBytes: 1_000_000, methods: { POST: handle } },
      { path: '/open', cors: true, methods: { GET: async () => text('open'), POST: handle } },
    ],
  })
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server.close()
      await app[Symbol.asyncDispose]()
    },
  }
}

const url = '/here'

test('the handler gets the request unchanged and may set a header several times', async () => {
  const seen: PlainRequest[] = []
  await using scene = await serving(async (request) => {
    seen.push(request)
    return { status: 303, headers: { 'set-cookie': ['a=1', 'b=2'], location: '/there' }, body: '' }
  })
  const { server } = scene
  const headers = { 'content-type': 'what/ever' }
  const response = await server.inject({ method: 'POST', url: '/here?a=%zz&a', headers, payload: 'é\0' })
  expect([response.statusCode, response.headers['set-cookie'], response.headers.location]).toEqual([
    303,
    ['a=1', 'b=2'],
    '/there',
  ])
  expect([seen[0]?.query, seen[0]?.body.toString(), seen[0]?.headers['content-type']]).toEqual([
    'a=%zz&a',
    'é\0',
    'what/ever',
  ])
  expect((await server.inject({ url: '/here?x' })).payload).toBe('x')
  expect((await server.inject({ method: 'HEAD', url })).statusCode).toBe(200)
})

test('the route formats errors of requests that the server rejects', async () => {
  await using scene = await serving(async () => text('fine'))
  const { server } = scene
  const tooLarge = await server.inject({ method: 'POST', url, payload: 'x'.repeat(11) })
  expect([tooLarge.statusCode, tooLarge.payload]).toEqual([
    413,
    'payload_too_large: The body is too large. The maximum is 10 bytes.',
  ])
  const wrongMethod = await server.inject({ method: 'DELETE', url, payload: 'x'.repeat(11) })
  expect([wrongMethod.statusCode, wrongMethod.headers['allow'], wrongMethod.payload]).toEqual([
    405,
    'GET, POST, HEAD',
    'method_not_allowed: This path supports only GET, POST, HEAD.',
  ])
})

test('an error keeps its headers, and an unexpected error reveals nothing of its cause', async () => {
  const errors: Error[] = [Unavailable(7), new Error('a detail of the inside')]
  await using scene = await serving(async () => {
    throw errors.shift() ?? new Error('one too many')
  })
  const { server } = scene
  const away = await server.inject({ method: 'POST', url, payload: 'x' })
  expect([away.statusCode, away.headers['retry-after']]).toEqual([503, '7'])
  const unexpected = await server.inject({ method: 'POST', url, payload: 'x' })
  expect([unexpected.statusCode, unexpected.payload.includes('inside')]).toEqual([500, false])
})

test('only a route with cors allows pages of any origin', async () => {
  await using scene = await serving(async () => {
    throw Unavailable(7)
  })
  const { server } = scene
  const origin = 'https://app.example'
  const headers = { origin, 'access-control-request-method': 'POST' }
  const preflight = await server.inject({ method: 'OPTIONS', url: '/open', headers })
  expect([preflight.statusCode, preflight.headers['access-control-allow-origin'], preflight.payload]).toEqual(
    [204, '*', ''],
  )
  expect(preflight.headers['access-control-allow-methods']).toBe('GET, POST, HEAD')
  for (const [method, status] of [
    ['GET', 200],
    ['POST', 503],
    ['PUT', 405],
    ['OPTIONS', 405],
  ] as const) {
    const response = await server.inject({ method, url: '/open', headers: { origin } })
    expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([status, '*'])
  }
  for (const closed of [
    { url: '/open', headers: { origin, cookie: 'session=1' } },
    { url: '/open' },
    { url, headers: { origin } },
  ]) {
    expect((await server.inject(closed)).headers).not.toHaveProperty('access-control-allow-origin')
  }
  expect((await server.inject({ method: 'OPTIONS', url, headers })).statusCode).toBe(405)
})

test('sends Strict-Transport-Security if the public URL is https', async () => {
  await using scene = await serving(async () => text('fine'))
  for (const at of [url, '/v1/nothing', '/v1/%zz', '/nothing'])
    expect((await scene.server.inject({ url: at })).headers['strict-transport-security'], at).toBe(
      'max-age=31536000',
    )
})

test('at most four requests with large bodies run at once; the next one starts when one disconnects', async () => {
  const entered: string[] = []
  const ends = new Map<string, () => void>()
  await using scene = await serving(async ({ query }) => {
    entered.push(query)
    await new Promise<void>((resolve) => ends.set(query, resolve))
    return text('done')
  })
  const origin = await scene.server.listen({ host: '127.0.0.1', port: 0 })
  const post = (name: string) => {
    const sent = send(`${origin}/large?${name}`, {
      method: 'POST',
      headers: { 'transfer-encoding': 'chunked' },
    })
    sent.on('error', () => undefined).end('x')
    return sent
  }
  const sent = ['a', 'b', 'c', 'd'].map(post)
  await vi.waitUntil(() => entered.length === 4, 30_000)
  const last = post('e')
  expect((await scene.server.inject({ method: 'POST', url: '/small?f', payload: 'x' })).statusCode).toBe(404)
  expect(entered).toHaveLength(4)
  sent[0]?.destroy()
  await vi.waitUntil(() => entered.includes('e'), 30_000)
  for (const end of ends.values()) end()
  const [response] = (await once(last, 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
})
