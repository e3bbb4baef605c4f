import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Case, expectOutcome, noAnswer, nothing, ok, says, shortMs } from './outcome.ts'

const receivers: Record<string, Case> = {
  'never reads': { script: () => {}, expected: nothing(noAnswer) },
  'never answers': { script: ({ asked }) => asked(), expected: nothing(noAnswer) },
  'hangs after half a status line': { script: says('HTTP/1.1 20'), expected: nothing(noAnswer) },
  'hangs after the headers': {
    script: says('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\n'),
    expected: nothing(noAnswer),
  },
  'hangs in the midst of the body': {
    script: says('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
    expected: { ...nothing(noAnswer), answer: 'half' },
  },
  'drips its headers': {
    script: async ({ asked, pour, socket }) => {
      await asked()
      await pour('HTTP/1.1 200 OK\r\n', 1)
      for (let i = 0; !socket.destroyed; i++, await sleep(20)) socket.write(`x-${i}: 1\r\n`)
    },
    expected: nothing(noAnswer),
  },
  'drips its body': {
    script: async ({ asked, say, socket }) => {
      await asked()
      say('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n')
      for (; !socket.destroyed; await sleep(20)) socket.write('.')
    },
    expected: { ...nothing(noAnswer), answer: expect.stringMatching(/^\.+$/) },
  },
  'answers after the time': {
    script: async ({ asked, say }) => {
      await asked()
      await sleep(shortMs + 300)
      say(ok())
    },
    expected: nothing(noAnswer),
  },
  'does not take the body': {
    script: () => {},
    request: { body: Buffer.alloc(16 * 1_048_576) },
    expected: nothing(noAnswer),
  },
}

test.concurrent.for(Object.entries(receivers))('a receiver that %s', ([, one]) => expectOutcome(one, shortMs))
