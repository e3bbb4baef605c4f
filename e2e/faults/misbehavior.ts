import { setTimeout as sleep } from 'node:timers/promises'
import type { Script } from '@gable/server/test/egress/receiver.ts'

/** An endpoint's behavior, and its entry in the log of deliveries. */
export interface Behavior {
  script: Script
  status: number | null
  failure: string | RegExp | null
  /** https instead of http in its URL, and a self-signed certificate. */
  protocol?: 'https'
  certified?: true
}

const says =
  (said: string): Script =>
  async ({ asked, say }) => {
    for (;;) {
      await asked()
      say(said)
    }
  }

const saysAndCloses =
  (said: string): Script =>
  async ({ asked, socket }) => {
    await asked()
    socket.end(said)
  }

const pours =
  (beginning: string, more: string | Buffer): Script =>
  async ({ asked, say, pour }) => {
    await asked()
    say(beginning)
    await pour(more, 100_000)
  }

const drips =
  (beginning: string, drop: string): Script =>
  async ({ asked, say, socket }) => {
    await asked()
    say(beginning)
    for (; !socket.destroyed; await sleep(20)) say(drop)
  }

const response = (status: number, more = '') => `HTTP/1.1 ${status} So\r\ncontent-length: 0\r\n${more}\r\n`
const redirect = (status: number) => says(response(status, 'location: http://127.0.0.1:1/\r\n'))
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'
const megabyte = Buffer.alloc(1_048_576, 'x')

/** Long enough that a busy machine reaches a limit of size before it. */
export const timeoutMs = 3000
const noResponse = `no response within ${timeoutMs / 1000} s`
const notHttp = 'the response is not valid HTTP'
const closed = 'the connection was closed before the response was complete'
const reset = 'the connection was reset'
const endless = 'the response is too long'
const largeHeaders = 'the response headers are larger than 16 kB'
const redirected = (status: number) => `redirect to another address is not followed (${status})`

const never = (script: Script, failure: string | RegExp): Behavior => ({ script, status: null, failure })
const rejects = (
  status: number,
  failure = `status ${status}`,
  script = says(response(status)),
): Behavior => ({
  script,
  status,
  failure,
})

/** Endpoints that fail, each in another way. */
export const misbehaving: Record<string, Behavior> = {
  'never reads': never(() => {}, noResponse),
  'never responds': never(({ asked }) => asked(), noResponse),
  'hangs in the status line': never(says('HTTP/1.1 20'), noResponse),
  'hangs in the headers': never(says('HTTP/1.1 200 OK\r\nx: '), noResponse),
  'hangs in the body': never(says(half), noResponse),
  'drips its headers': never(drips('HTTP/1.1 200 OK\r\n', 'x: 1\r\n'), noResponse),
  'drips its body': never(drips('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', '.'), noResponse),
  'responds after the timeout': never(async ({ asked, say }) => {
    await asked()
    await sleep(timeoutMs + 200)
    say(response(200))
  }, noResponse),
  'resets immediately': never(({ socket }) => void socket.resetAndDestroy(), reset),
  'closes immediately': never(({ socket }) => void socket.end().destroy(), /^the connection was /),
  'resets after the request': never(async ({ asked, socket }) => {
    await asked()
    socket.resetAndDestroy()
  }, reset),
  'closes without a response': never(saysAndCloses(''), closed),
  'closes in the headers': never(saysAndCloses('HTTP/1.1 200 OK\r\nx'), closed),
  'closes in the body': never(saysAndCloses(half), closed),
  'closes in a chunk': never(saysAndCloses(`${chunked}a\r\nhalf`), closed),
  'has two lengths': never(
    says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'),
    /not valid HTTP|differs from its Content-Length/,
  ),
  'has a chunk of invalid length': never(says(`${chunked}zz\r\nok`), notHttp),
  'does not speak HTTP': never(says('hello\r\n\r\n'), notHttp),
  'greets like SSH': never(({ say }) => say('SSH-2.0-OpenSSH_9.6\r\n'), notHttp),
  'changes the protocol': never(
    says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    notHttp,
  ),
  'sends 103 without end': never(
    pours('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    'the response never starts: too many interim responses',
  ),
  'has headers without end': never(pours('HTTP/1.1 200 OK\r\n', 'x-more: 1\r\n'), largeHeaders),
  'has one huge header': never(pours('HTTP/1.1 200 OK\r\nx: ', megabyte), largeHeaders),
  'has a long status line': never(pours('HTTP/1.1 200 ', megabyte), endless),
  'has blank lines without end': never(pours('', '\r\n'.repeat(50_000)), endless),
  'has trailers without end': never(pours(`${chunked}2\r\nok\r\n0\r\n`, 'x-more: 1\r\n'), /./),
  'has a self-signed certificate': {
    ...never(says(response(200)), 'TLS: the certificate is self-signed'),
    protocol: 'https',
    certified: true,
  },
  'does not speak TLS': {
    ...never(({ say }) => say(response(400)), 'TLS: the port does not support it'),
    protocol: 'https',
  },
  'speaks only TLS': { ...never(says(response(200)), /./), certified: true },
  'redirects permanently': rejects(301, redirected(301), redirect(301)),
  'redirects with the method': rejects(307, redirected(307), redirect(307)),
  'responds 304': rejects(304, 'status 304', says('HTTP/1.1 304 Not Modified\r\n\r\n')),
  'responds 410': rejects(410),
  'responds 429': rejects(429),
  fails: rejects(500),
  'fails with a gigabyte': rejects(
    503,
    'status 503',
    pours('HTTP/1.1 503 No\r\ncontent-length: 1073741824\r\n\r\n', megabyte),
  ),
}

/** Endpoints that accept deliveries. */
export const receiving: Record<string, Behavior> = {
  responds: { script: says(response(200)), status: 200, failure: null },
  creates: { script: says(response(201)), status: 201, failure: null },
  'responds without content': { script: says('HTTP/1.1 204 No Content\r\n\r\n'), status: 204, failure: null },
  'sends 103 first': {
    script: says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${response(200)}`),
    status: 200,
    failure: null,
  },
  'responds with a gigabyte': {
    script: pours('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n', megabyte),
    status: 200,
    failure: null,
  },
  'responds with endless chunks': {
    script: pours(chunked, `1000\r\n${'y'.repeat(0x1000)}\r\n`),
    status: 200,
    failure: null,
  },
  'ends its response by closing': {
    script: saysAndCloses('HTTP/1.0 200 OK\r\n\r\nok'),
    status: 200,
    failure: null,
  },
}
