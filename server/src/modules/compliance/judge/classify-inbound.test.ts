import { expect, test } from 'vitest'
import { readCases } from '#test/data/read-cases.ts'
import { classifyInbound } from './classify-inbound.ts'

interface Vector {
  kind: string
  title: string
  input: { text: string; opted_out: boolean }
  expect: object
}

test.each(
  readCases<Vector>('vectors')
    .filter(({ kind }) => kind === 'classify_inbound')
    .map((vector) => [vector.title, vector] as const),
)('%s', (_title, { input, expect: expected }) => {
  expect(classifyInbound(input.text, { optedOut: input.opted_out })).toEqual(expected)
})

test.each([
  ["don't contact me", true],
  ['Do not call me again', true],
  ['stop calling', true],
  ['leave me alone', true],
  ['I do not want to be contacted', true],
  ['put me on your do not call list', true],
  ['no me llamen', true],
  ['STOP', undefined],
  ["don't text me", undefined],
  ['stop texting me', undefined],
  ['no more texts', undefined],
  ['take me off your list', undefined],
])('%j opts out; noContact is %s', (text, noContact) => {
  const classified = classifyInbound(text, { optedOut: false })
  expect([classified.action, classified.noContact]).toEqual(['opt_out', noContact])
})

test.each([
  ["Don't call me before 5", 'review'],
  ["please don't text me while I'm at work", 'review'],
  ['Do not call today, I am traveling', 'review'],
  ['Never call me in the morning', 'review'],
  ["don't call me until Monday", 'review'],
  ["Don't call me before 5. Actually, stop texting me", 'opt_out'],
  ["Don't call me today or ever again, take me off your list", 'opt_out'],
  ["don't call me anymore", 'opt_out'],
  ["don't ever text me again", 'opt_out'],
])('%j is classified as %s', (text, action) => {
  expect(classifyInbound(text, { optedOut: false }).action).toBe(action)
})

test.each(["don't stop calling", 'call me', 'stop by and call me', 'No calls after 6, please'])(
  '%j is not an opt-out',
  (text) => expect(classifyInbound(text, { optedOut: false })).toEqual({ action: 'none', match: null }),
)
