import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { apiBase } from '../../src/api.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { exchange, sendVerbatim } from './raw-http.ts'
import { expectError } from './rejections.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const line = (path: string, headers = 'host: gable.example\r\nconnection: close\r\n') =>
  `GET ${path} HTTP/1.1\r\n${headers}\r\n`
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
  [
    'two lengths',
    `POST ${apiBase}/contacts HTTP/1.1\r\n${json}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`,
  ],
  ['an invalid length', `POST ${apiBase}/contacts HTTP/1.1\r\n${json}content-length: -1\r\n\r\n{}`],
  [
    'a length and chunks',
    `POST ${apiBase}/contacts HTTP/1.1\r\n${json}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
  ],
])('%s returns 400', async (what, bytes) => {
  expectError(await exchange(app.url, Buffer.from(bytes, 'latin1')), 400, what)
})

test.each([
  ['one header of 20 kB', { 'x-long': 'x'.repeat(20_000) }],
  [
    'headers of 20 kB together',
    Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`x-${i}`, 'x'.repeat(100)])),
  ],
])('%s return 431', async (what, headers) => {
  expectError(await sendVerbatim(app.url, { method: 'GET', path: `${apiBase}/ping`, headers }), 431, what)
})

test('a URL of 20 kB returns 431', async () => {
  expectError(
    await sendVerbatim(app.url, { method: 'GET', path: `${apiBase}/contacts?q=${'x'.repeat(20_000)}` }),
    431,
  )
})

test('an unknown expectation is ignored or returns 417', async () => {
  const response = await sendVerbatim(app.url, {
    method: 'GET',
    path: `${apiBase}/ping`,
    headers: { expect: 'miracles' },
  })
  expectError(response, response.status === 417 ? 417 : 401)
})

test('a chunk without a valid size returns 400', async () => {
  const { key } = await app.credential()
  const head = `POST ${apiBase}/contacts HTTP/1.1\r\n${json}authorization: token ${key}\r\ntransfer-encoding: chunked\r\n\r\n`
  expectError(await exchange(app.url, `${head}xyz\r\n`), 400)
})

test('a body of more than 256 kB returns 413, even without Content-Length', async () => {
  const { key } = await app.credential()
  const head = `POST ${apiBase}/contacts HTTP/1.1\r\n${json}authorization: token ${key}\r\ntransfer-encoding: chunked\r\n\r\n`
  const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
  expectError(await exchange(app.url, `${head}${chunk.repeat(4)}1\r\n \r\n0\r\n\r\n`), 413)
})

test('a peer that does not close its side is disconnected', async () => {
  const { hostname, port } = new URL(app.url)
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }).on('error', () => {})
  socket.write('noise\r\n\r\n')
  await once(socket.resume(), 'end')
  try {
    await vi.waitFor(() => {
      socket.write('more')
      expect(socket.destroyed).toBe(true)
    }, 30_000)
  } finally {
    socket.destroy()
  }
})
