import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { chunked, endless, ok, says, shortMs } from './outcome.ts'
import { type Script, startReceiver } from './receiver.ts'

const local = { allowHttp: 'loopback', allowPrivate: 'loopback' } as const

/** Sends one byte to a receiver with this script. Returns the response's status and body as text. */
async function read(script: Script, { maxBytes = 10_000_000, timeoutMs = 5_000 } = {}): Promise<string> {
  await using receiver = await startReceiver(script)
  await using egress = createEgress({ ...local, timeoutMs })
  const url = `http://127.0.0.1:${receiver.port}/`
  const headers = { 'content-length': '1' }
  const sent = Readable.from([Buffer.from('.')])
  const { status, body } = await egress.stream({ method: 'PUT', url, headers, body: sent, maxBytes })
  return `${status} ${String(await buffer(body))}`
}

test.for<[what: string, script: Script, expected: string]>([
  ['responds', says(ok()), '200 ok'],
  ['responds at length', says(ok('x'.repeat(3_000_000))), `200 ${'x'.repeat(3_000_000)}`],
  ['responds in pieces', says(`${chunked}2\r\no`, 'k\r\n0\r\n\r\n'), '200 ok'],
  ['rejects', says('HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\nno'), '404 no'],
  ['redirects', says('HTTP/1.1 302 No\r\nlocation: http://[::1]/\r\ncontent-length: 0\r\n\r\n'), '302 '],
])('streams the response of a receiver that %s', async ([, script, expected]) => {
  expect(await read(script)).toBe(expected)
})

const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'

test.for([
  ['in its middle', says(`${ok('x'.repeat(100)).slice(0, -50)}`)],
  ['at its end', says('HTTP/1.1 404 No\r\ncontent-length: 2\r\n\r\nno')],
] as const)('a response that is not read %s ends without an uncaught error', async ([, script]) => {
  await using receiver = await startReceiver(script)
  await using egress = createEgress(local)
  const url = `http://127.0.0.1:${receiver.port}/`
  const headers = { 'content-length': '1' }
  const sent = Readable.from([Buffer.from('.')])
  const { body } = await egress.stream({ method: 'PUT', url, headers, body: sent, maxBytes: 1000 })
  const { promise: closed, resolve } = Promise.withResolvers<string>()
  body.once('close', () => resolve('closed')).destroy()
  expect(await closed).toBe('closed')
})

test('a stream fails if the response is cut off, is too long, or stalls', async () => {
  await expect(
    read(async ({ asked, socket }) => {
      await asked()
      socket.end(half)
    }),
  ).rejects.toThrow('closed')
  await expect(read(says(ok('x'.repeat(3_000_000))), { maxBytes: 1_000_000 })).rejects.toThrow(endless)
  const still = `nothing moved for ${shortMs / 1000} s`
  await expect(read(({ asked }) => asked(), { timeoutMs: shortMs })).rejects.toThrow(still)
  await expect(read(says(half), { timeoutMs: shortMs })).rejects.toThrow(still)
})

test('a stream rejects disallowed addresses, and every address after disposal', async () => {
  const request = { method: 'GET', url: 'http://10.0.0.1/', headers: {}, maxBytes: 1 } as const
  const egress = createEgress(local)
  await expect(egress.stream(request)).rejects.toThrow('the address is not public')
  await egress[Symbol.asyncDispose]()
  await expect(egress.stream({ ...request, url: 'http://127.0.0.1/' })).rejects.toThrow('stopping')
})

test('a streamed request body waits for the receiver instead of being held in memory', async () => {
  const piece = randomBytes(65_536)
  const pieces = 1_000
  let made = 0
  let held = 0
  let taken = 0
  const server = createServer(async (request, response) => {
    for await (const chunk of request) {
      taken += (chunk as Buffer).length
      held = Math.max(held, made * piece.length - taken)
    }
    response.end('stored')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await using egress = createEgress(local)
  const { body } = await egress.stream({
    method: 'PUT',
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    headers: { 'content-length': String(pieces * piece.length) },
    body: Readable.from(
      (async function* () {
        for (; made < pieces; made++) yield piece
      })(),
      { objectMode: false },
    ),
    maxBytes: 100,
  })
  expect(String(await buffer(body))).toBe('stored')
  expect(taken).toBe(pieces * piece.length)
  expect(held).toBeLessThan(taken / 4)
  server.close()
})
