import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Case, expectOutcome, noResponse, nothing, ok, says, shortMs } from './outcome.ts'

const receivers: Record<string, Case> = {
  'never reads': { script: () => {}, expected: nothing(noResponse) },
  'never responds': { script: ({ asked }) => asked(), expected: nothing(noResponse) },
  'hangs after half a status line': { script: says('HTTP/1.1 20'), expected: nothing(noResponse) },
  'hangs after the headers': {
    script: says('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'),
    expected: nothing(noResponse),
  },
  'hangs within the body': {
    script: says('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    expected: { ...nothing(noResponse), answer: 'half' },
  },
  'drips its headers': {
    script: async ({ asked, pour, socket }) => {
      await asked()
      await pour('HTTP/1.1 200 OK\r\n', 1)
      for (let i = 0; !socket.destroyed; i++, await sleep(20)) socket.write(`x-${i}: 1\r\n`)
    },
    expected: nothing(noResponse),
  },
  'drips its body': {
    script: async ({ asked, say, socket }) => {
      await asked()
      say('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      for (; !socket.destroyed; await sleep(20)) socket.write('.')
    },
    expected: { ...nothing(noResponse), answer: expect.stringMatching(/^\.+$/) },
  },
  'responds after the timeout': {
    script: async ({ asked, say }) => {
      await asked()
      await sleep(shortMs + 300)
      say(ok())
    },
    expected: nothing(noResponse),
  },
  'does not read the body': {
    script: () => {},
    request: { body: Buffer.alloc(16 * 1_048_576) },
    expected: nothing(noResponse),
  },
}

test.concurrent.for(Object.entries(receivers))('handles a receiver that %s', ([, one]) =>
  expectOutcome(one, shortMs),
)
