import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'vitest'
import { type Case, chunked, closed, expectOutcome, nothing, success } from './outcome.ts'
import type { Script } from './receiver.ts'

/** Waits for the request, sends this text, and closes the connection. */
const saysAndCloses =
  (said: string): Script =>
  async ({ asked, socket }) => {
    await asked()
    socket.end(said)
  }

const receivers: Record<string, Case> = {
  'resets immediately': {
    script: ({ socket }) => void socket.resetAndDestroy(),
    expected: nothing('the connection was reset'),
  },
  'closes immediately': {
    script: ({ socket }) => void socket.end().destroy(),
    expected: { ok: false, status: null },
  },
  'resets after the request': {
    script: async ({ asked, socket }) => {
      await asked()
      socket.resetAndDestroy()
    },
    expected: nothing('the connection was reset'),
  },
  'resets within the body': {
    script: async ({ asked, pour, socket }) => {
      await asked()
      await pour('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', 1)
      await sleep(50)
      socket.resetAndDestroy()
    },
    expected: { ...nothing('the connection was reset'), answer: 'half' },
  },
  'closes without a response': { script: saysAndCloses(''), expected: nothing(closed) },
  'closes within the headers': {
    script: saysAndCloses('HTTP/1.1 200 OK\r\nx'),
    expected: nothing(closed),
  },
  'closes within the body': {
    script: saysAndCloses('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    expected: { ...nothing(closed), answer: 'half' },
  },
  'closes within a chunk': {
    script: saysAndCloses(`${chunked}a\r\nhalf`),
    expected: { ...nothing(closed), answer: 'half' },
  },
  'ends its response by closing': { script: saysAndCloses('HTTP/1.0 200 OK\r\n\r\nok'), expected: success },
}

test.for(Object.entries(receivers))('handles a receiver that %s', ([, one]) => expectOutcome(one))
