import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type Case, chunked, expectOutcome, notHttp, nothing, ok, says, success } from './outcome.ts'

const receivers: Record<string, Case> = {
  responds: { script: says(ok()), expected: success },
  'responds before it has read the request': {
    script: ({ say }) => say(ok()),
    request: { body: Buffer.alloc(16 * 1_048_576) },
    expected: success,
  },
  'responds before the request': { script: ({ say }) => say(ok()), expected: success },
  'sends the greeting of another protocol': {
    script: ({ say }) => say('SSH-2.0-OpenSSH_9.6\r\n'),
    expected: nothing(notHttp),
  },
  'does not speak HTTP': { script: says('hello\r\n\r\n'), expected: nothing(notHttp) },
  'speaks HTTP/2': {
    script: says(Buffer.from('000006040000000000000400010000', 'hex')),
    expected: nothing(notHttp),
  },
  'sends an invalid status': { script: says('HTTP/1.1 abc\r\n\r\n'), expected: nothing(notHttp) },
  'sends a header without a colon': {
    script: says('HTTP/1.1 200 OK\r\nx\r\n\r\n'),
    expected: nothing(notHttp),
  },
  'sends an invalid length': {
    script: says('HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n'),
    expected: { ok: false },
  },
  'sends two lengths': {
    script: says('HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok'),
    expected: { ok: false },
  },
  'sends a length and chunks': {
    script: says(
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ),
    expected: { ok: false },
  },
  'sends a chunk of invalid length': { script: says(`${chunked}zz\r\nok`), expected: nothing(notHttp) },
  'sends more than its Content-Length': { script: says(`${ok()} and more`), expected: success },
  'sends 103 first': {
    script: says(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${ok()}`),
    expected: success,
  },
  'sends 100 Continue': { script: says('HTTP/1.1 100 Continue\r\n\r\n', ok()), expected: nothing(notHttp) },
  'changes the protocol': {
    script: says('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n'),
    expected: nothing(notHttp),
  },
  'responds without content': {
    script: says('HTTP/1.1 204 No Content\r\n\r\n'),
    expected: { ...success, status: 204, answer: '' },
  },
  'has an empty response body': { script: says(ok('')), expected: { ...success, answer: '' } },
  creates: {
    script: says('HTTP/1.1 201 Created\r\ncontent-length: 0\r\n\r\n'),
    expected: { status: 201, ok: true },
  },
  fails: {
    script: says('HTTP/1.1 500 No\r\ncontent-length: 4\r\n\r\noops'),
    expected: { status: 500, ok: false, failure: 'status 500', answer: 'oops' },
  },
  'responds 410': {
    script: says('HTTP/1.1 410 Gone\r\ncontent-length: 0\r\n\r\n'),
    expected: { status: 410, ok: false, failure: 'status 410', answer: '' },
  },
  'responds 304': {
    script: says('HTTP/1.1 304 Not Modified\r\n\r\n'),
    expected: { status: 304, ok: false, failure: 'status 304' },
  },
  'sends gzip': {
    script: says(
      'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n',
      `${gzipSync('ok').length.toString(16)}\r\n`,
      gzipSync('ok'),
      '\r\n0\r\n\r\n',
    ),
    expected: { status: 200, ok: true, failure: null, answer: expect.stringContaining('\ufffd') },
  },
  'sends bytes that PostgreSQL rejects': {
    script: says('HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\n', Buffer.from('61006280ffeda080', 'hex')),
    expected: { ...success, answer: 'a\ufffdb\ufffd\ufffd\ufffd\ufffd\ufffd' },
  },
  'sends a character across the end of the first kilobyte': {
    script: says(ok(`${'x'.repeat(1022)}€uro`)),
    expected: { ...success, answer: 'x'.repeat(1022) },
  },
  'sends a character at the end of the first kilobyte': {
    script: says(ok(`${'x'.repeat(1021)}€uro`)),
    expected: { ...success, answer: `${'x'.repeat(1021)}€` },
  },
  'sends its response in pieces': {
    script: async ({ asked, say }) => {
      await asked()
      for (const letter of ok('€'.repeat(400))) {
        say(letter)
        await new Promise(setImmediate)
      }
    },
    expected: { ...success, answer: '€'.repeat(341) },
  },
}

for (const status of [301, 302, 303, 307, 308]) {
  receivers[`redirects with ${status}`] = {
    // Redirects to the receiver itself, so that it would see a second request.
    script: async ({ asked, socket, say }) => {
      await asked()
      say(
        `HTTP/1.1 ${status} Elsewhere\r\nlocation: http://127.0.0.1:${socket.localPort}/2\r\ncontent-length: 0\r\n\r\n`,
      )
    },
    expected: { status, ok: false, failure: `redirect to another address is not followed (${status})` },
  }
}

test.for(Object.entries(receivers))('handles a receiver that %s', ([, one]) => expectOutcome(one))
