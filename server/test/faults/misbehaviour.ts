import { setTimeout as sleep } from 'node:timers/promises'
import type { Script } from '#test/egress/receiver.ts'

/** What an endpoint does, and what the log says of it. */
export interface Manners {
  script: Script
  status: number | null
  failure: string | RegExp | null
  /** https instead of http in its address, and a certificate, of its own making. */
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

const answer = (status: number, more = '') => `HTTP/1.1 ${status} So\r\ncontent-length: 0\r\n${more}\r\n`
const redirect = (status: number) => says(answer(status, 'location: http://127.0.0.1:1/\r\n'))
const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
const half = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'
const megabyte = Buffer.alloc(1_048_576, 'x')

export const timeoutMs = 1000
const noAnswer = 'no answer within 1 s'
const notHttp = 'the answer is not valid HTTP'
const closed = 'the connection was closed before the answer was complete'
const reset = 'the connection was reset'
const endless = 'the answer is endless'
const largeHeaders = 'the headers of the answer are larger than 16 kB'
const redirected = (status: number) => `redirect to another address is not followed (${status})`

const never = (script: Script, failure: string | RegExp): Manners => ({ script, status: null, failure })
const refuses = (status: number, failure = `status ${status}`, script = says(answer(status))): Manners => ({
  script,
  status,
  failure,
})

/** Endpoints that fail, each in its own way. */
export const misbehaving: Record<string, Manners> = {
  'never reads': never(() => {}, noAnswer),
  'never answers': never(({ asked }) => asked(), noAnswer),
  'hangs in the status line': never(says('HTTP/1.1 20'), noAnswer),
  'hangs in the headers': never(says('HTTP/1.1 200 OK\r\nx: '), noAnswer),
  'hangs in the body': never(says(half), noAnswer),
  'drips its headers': never(drips('HTTP/1.1 200 OK\r\n', 'x: 1\r\n'), noAnswer),
  'drips its body': never(drips('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n', '.'), noAnswer),
  'answers when the time is over': never(async ({ asked, say }) => {
    await asked()
    await sleep(timeoutMs + 200)
    say(answer(200))
  }, noAnswer),
  'resets at once': never(({ socket }) => void socket.resetAndDestroy(), reset),
  'closes at once': never(({ socket }) => void socket.end().destroy(), /^the connection was /),
  'resets after the request': never(async ({ asked, socket }) => {
    await asked()
    socket.resetAndDestroy()
  }, reset),
  'closes without an answer': never(saysAndCloses(''), closed),
  'closes in the headers': never(saysAndCloses('HTTP/1.1 200 OK\r\nx'), closed),
  'closes in the body': never(saysAndCloses(half), closed),
  'closes in a chunk': never(saysAndCloses(`${chunked}a\r\nhalf`), closed),
  'has two lengths': never(
    says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'),
    /not valid HTTP|not as long/,
  ),
  'has a chunk of no length': never(says(`${chunked}zz\r\nok`), notHttp),
  'speaks no HTTP': never(says('hello\r\n\r\n'), notHttp),
  'greets like SSH': never(({ say }) => say('SSH-2.0-OpenSSH_9.6\r\n'), notHttp),
  'changes the protocol': never(
    says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    notHttp,
  ),
  'hints without end': never(
    pours('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
    'the answer never begins: one interim answer after the other',
  ),
  'has headers without end': never(pours('HTTP/1.1 200 OK\r\n', 'x-more: 1\r\n'), largeHeaders),
  'has one huge header': never(pours('HTTP/1.1 200 OK\r\nx: ', megabyte), largeHeaders),
  'has a long status line': never(pours('HTTP/1.1 200 ', megabyte), endless),
  'has blank lines without end': never(pours('', '\r\n'.repeat(50_000)), endless),
  'has trailers without end': never(pours(`${chunked}2\r\nok\r\n0\r\n`, 'x-more: 1\r\n'), /./),
  'has a certificate of nobody': {
    ...never(says(answer(200)), 'TLS: the certificate is self-signed'),
    protocol: 'https',
    certified: true,
  },
  'speaks no TLS': {
    ...never(({ say }) => say(answer(400)), 'TLS: the port does not speak it'),
    protocol: 'https',
  },
  'speaks TLS alone': { ...never(says(answer(200)), /./), certified: true },
  'redirects for good': refuses(301, redirected(301), redirect(301)),
  'redirects with the method': refuses(307, redirected(307), redirect(307)),
  'has not changed': refuses(304, 'status 304', says('HTTP/1.1 304 Not Modified\r\n\r\n')),
  'is gone': refuses(410),
  'has had enough': refuses(429),
  fails: refuses(500),
  'fails with a gigabyte': refuses(
    503,
    'status 503',
    pours('HTTP/1.1 503 No\r\ncontent-length: 1073741824\r\n\r\n', megabyte),
  ),
}

/** Endpoints that take what they get, whatever else they do. */
export const receiving: Record<string, Manners> = {
  answers: { script: says(answer(200)), status: 200, failure: null },
  creates: { script: says(answer(201)), status: 201, failure: null },
  'has no content': { script: says('HTTP/1.1 204 No Content\r\n\r\n'), status: 204, failure: null },
  'hints first': {
    script: says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${answer(200)}`),
    status: 200,
    failure: null,
  },
  'answers with a gigabyte': {
    script: pours('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n', megabyte),
    status: 200,
    failure: null,
  },
  'answers in chunks without end': {
    script: pours(chunked, `1000\r\n${'y'.repeat(0x1000)}\r\n`),
    status: 200,
    failure: null,
  },
  'ends its answer by closing': {
    script: saysAndCloses('HTTP/1.0 200 OK\r\n\r\nok'),
    status: 200,
    failure: null,
  },
}
