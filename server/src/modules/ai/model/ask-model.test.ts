import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testClock } from '#test/support/clock.ts'
import { openModel } from '../../../app.ts'
import { type SimulatedCarrier, startCarrier } from '../../../carrier/start.ts'
import type { LanguageModel } from '../ports.ts'
import { askModel } from './ask-model.ts'
import { type Breaker, createBreaker } from './breaker.ts'
import { replyForm } from './proposal.ts'

const clock = testClock('2026-03-02T15:00:00.000Z')
let carrier: SimulatedCarrier
let opened: ReturnType<typeof openModel>
let model: LanguageModel
let breaker: Breaker

const script = [
  { match: 'model malformed', behavior: 'malformed' as const },
  { match: 'not JSON', behavior: 'malformed' as const },
  { match: 'model down', behavior: 'down' as const },
  { match: 'cannot be used', say: { action: 'none' } },
  { match: 'wrong action', say: { action: 'sing' } },
  { match: 'empty', say: { action: 'reply', text: ' ' } },
  { match: '', say: { action: 'reply', text: 'Hello.' } },
]

beforeAll(async () => {
  carrier = await startCarrier({ host: '127.0.0.1', port: 0, now: clock.now, script })
  opened = openModel({
    egress: { allowHttp: 'none', allowPrivate: 'none' },
    simulatedCarrierUrl: carrier.origin,
  })
  if (opened.model === undefined) throw new Error('There is no model.')
  ;({ model } = opened)
})
afterAll(async () => {
  await opened[Symbol.asyncDispose]()
  await carrier[Symbol.asyncDispose]()
})
beforeEach(() => {
  clock.advance(3_600_000)
  breaker = createBreaker(clock)
})

const ask = (content: string) =>
  askModel(model, breaker, { system: 'You respond.', turns: [{ role: 'user', content }] }, replyForm)

test('a proposal that fits the schema comes with what it cost', async () => {
  expect(await ask('Hi')).toMatchObject({
    kind: 'proposed',
    proposal: { action: 'reply', text: 'Hello.', handoff_reason: null },
    usage: { promptTokens: expect.any(Number), completionTokens: expect.any(Number) },
  })
})

test('what does not fit the schema is asked for once more, with the fault', async () => {
  for (const text of ['wrong action', 'empty'])
    expect(await ask(text)).toMatchObject({ kind: 'proposed', proposal: { action: 'none' } })
  expect(await ask('model malformed')).toMatchObject({ kind: 'fault', reason: 'malformed' })
})

test('a model that is down is asked once', async () => {
  expect(await ask('model down')).toEqual({
    kind: 'fault',
    reason: 'model_down',
    usage: { promptTokens: 0, completionTokens: 0 },
  })
})

test('five faults within a minute keep it from being asked for a minute', async () => {
  for (let n = 0; n < 4; n++) await ask('model down')
  expect(await ask('Hi')).toMatchObject({ kind: 'proposed' })
  await ask('model down')
  expect(await ask('Hi')).toMatchObject({ kind: 'fault', reason: 'model_down' })
  clock.advance(60_000)
  expect(await ask('Hi')).toMatchObject({ kind: 'proposed' })
})

test('faults that are further apart do not', async () => {
  for (let n = 0; n < 10; n++) {
    await ask('model down')
    clock.advance(16_000)
  }
  expect(await ask('Hi')).toMatchObject({ kind: 'proposed' })
})
