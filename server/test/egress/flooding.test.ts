import { test } from 'vitest'
import { type Case, chunked, endless, expectOutcome, hugeHeaders, nothing, success } from './outcome.ts'

const megabyte = Buffer.alloc(1_048_576, 'x')

const receivers: Record<string, Case> = {
  'sends a gigabyte': {
    script: async ({ asked, say, pour }) => {
      await asked()
      say('HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n')
      await pour(megabyte, 1024)
    },
    expected: { ...success, answer: 'x'.repeat(1024) },
  },
  'sends a gigabyte with status 503': {
    script: async ({ asked, say, pour }) => {
      await asked()
      say('HTTP/1.1 503 No\r\ncontent-length: 1073741824\r\n\r\n')
      await pour(megabyte, 1024)
    },
    expected: { status: 503, ok: false, failure: 'status 503', answer: 'x'.repeat(1024) },
  },
  'sends chunks without end': {
    script: async ({ asked, say, pour }) => {
      await asked()
      say(chunked)
      await pour(`1000\r\n${'y'.repeat(0x1000)}\r\n`, Infinity)
    },
    expected: { ...success, answer: 'y'.repeat(1024) },
  },
  "sends one chunk's extension without end": {
    script: async ({ asked, say, pour }) => {
      await asked()
      say(`${chunked}5;`)
      await pour(megabyte, 1024)
    },
    expected: { status: null, ok: false },
  },
  'sends blank lines without end': {
    script: async ({ asked, pour }) => {
      await asked()
      await pour('\r\n'.repeat(50_000), Infinity)
    },
    expected: nothing(endless),
  },
  'sends headers without end': {
    script: async ({ asked, say, pour }) => {
      await asked()
      say('HTTP/1.1 200 OK\r\n')
      await pour('x-more: 1\r\n'.repeat(1_000), Infinity)
    },
    expected: nothing(hugeHeaders),
  },
  'sends one huge header': {
    script: async ({ asked, say, pour }) => {
      await asked()
      say('HTTP/1.1 200 OK\r\nx-huge: ')
      await pour(megabyte, 1024)
    },
    expected: nothing(hugeHeaders),
  },
  'sends trailers without end': {
    script: async ({ asked, say, pour }) => {
      await asked()
      say(`${chunked}2\r\nok\r\n0\r\n`)
      await pour('x-more: 1\r\n'.repeat(1_000), Infinity)
    },
    expected: { status: null, ok: false, answer: 'ok' },
  },
  'sends a long status line': {
    script: async ({ asked, say, pour }) => {
      await asked()
      say('HTTP/1.1 200 ')
      await pour(megabyte, 1024)
    },
    expected: nothing(endless),
  },
  'sends 103 without end': {
    script: async ({ asked, pour }) => {
      await asked()
      await pour('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(1_000), Infinity)
    },
    expected: nothing('the response never starts: too many interim responses'),
  },
}

test.for(Object.entries(receivers))('handles a receiver that %s', ([, one]) => expectOutcome(one))
