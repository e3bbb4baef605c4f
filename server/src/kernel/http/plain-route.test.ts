import fastify from 'fastify'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { Unavailable } from '../errors.ts'
import { type PlainAnswer, type PlainRequest, addPlainRoutes } from './plain-route.ts'

const text = (body: string, status = 200): PlainAnswer => ({
  status,
  headers: { 'content-type': 'text/plain' },
  body,
})

/** A server with one plain route at /here, whose POST does what it is told. */
async function serving(handle: (request: PlainRequest) => Promise<PlainAnswer>) {
  const app = await testApp()
  const server = fastify({ genReqId: () => 'a request' })
  const methods = { GET: async ({ query }: PlainRequest) => text(query), POST: handle }
  addPlainRoutes(server, app.house, [
    {
      path: '/here',
      maxBodyBytes: 10,
      methods,
      refuse: ({ code, status, body }) => text(`${code}: ${body.message}`, status),
    },
  ])
  return {
    server,
    async [Symbol.asyncDispose]() {
      await server.close()
      await app[Symbol.asyncDispose]()
    },
  }
}

const url = '/here'

test('a request is handed on as it was sent, and several headers of a name are answered', async () => {
  const seen: PlainRequest[] = []
  await using scene = await serving(async (request) => {
    seen.push(request)
    return { status: 303, headers: { 'set-cookie': ['a=1', 'b=2'], location: '/there' }, body: '' }
  })
  const { server } = scene
  const headers = { 'content-type': 'what/ever' }
  const answer = await server.inject({ method: 'POST', url: '/here?a=%zz&a', headers, payload: 'é\0' })
  expect([answer.statusCode, answer.headers['set-cookie'], answer.headers.location]).toEqual([
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

test('what the server refuses is told in the route’s own words', async () => {
  await using scene = await serving(async () => text('fine'))
  const { server } = scene
  const tooLarge = await server.inject({ method: 'POST', url, payload: 'x'.repeat(11) })
  expect([tooLarge.statusCode, tooLarge.payload]).toEqual([
    413,
    'payload_too_large: A body has at most 10 bytes.',
  ])
  const wrongMethod = await server.inject({ method: 'DELETE', url, payload: 'x'.repeat(11) })
  expect([wrongMethod.statusCode, wrongMethod.headers['allow'], wrongMethod.payload]).toEqual([
    405,
    'GET, POST, HEAD',
    'method_not_allowed: This path answers GET, POST, HEAD.',
  ])
})

test('an error is told with its headers, and a fault without its innards', async () => {
  const faults: Error[] = [Unavailable(7), new Error('a detail of the inside')]
  await using scene = await serving(async () => {
    throw faults.shift() ?? new Error('one too many')
  })
  const { server } = scene
  const away = await server.inject({ method: 'POST', url, payload: 'x' })
  expect([away.statusCode, away.headers['retry-after']]).toEqual([503, '7'])
  const fault = await server.inject({ method: 'POST', url, payload: 'x' })
  expect([fault.statusCode, fault.payload.includes('inside')]).toEqual([500, false])
})
