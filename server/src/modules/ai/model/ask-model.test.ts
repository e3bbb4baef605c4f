import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testClock } from '#test/support/clock.ts'
import { openModel } from '../../../app.ts'
import type { LanguageModel, ModelResponse } from '../ports.ts'
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

test('a proposal that fits the schema comes with its token usage', async () => {
  expect(await ask('Hi')).toMatchObject({
    kind: 'proposed',
    proposal: { action: 'reply', text: 'Hello.', handoff_reason: null },
    usage: { promptTokens: expect.any(Number), completionTokens: expect.any(Number) },
  })
})

test('a response that does not fit the schema is requested once more', async () => {
  for (const text of ['wrong action', 'empty'])
    expect(await ask(text)).toMatchObject({ kind: 'proposed', proposal: { action: 'none' } })
  expect(await ask('model malformed')).toMatchObject({ kind: 'fault', reason: 'malformed' })
})

test('a model that is down yields a fault without usage', async () => {
  expect(await ask('model down')).toEqual({
    kind: 'fault',
    reason: 'model_down',
    detail: 'status 503',
    usage: { promptTokens: 0, completionTokens: 0 },
  })
})

test('five faults within a minute open the breaker for a minute', async () => {
  for (let n = 0; n < 4; n++) await ask('model down')
  expect(await ask('Hi')).toMatchObject({ kind: 'proposed' })
  await ask('model down')
  expect(await ask('Hi')).toMatchObject({ kind: 'fault', reason: 'model_down' })
  clock.advance(60_000)
  expect(await ask('Hi')).toMatchObject({ kind: 'proposed' })
})

test('faults further apart do not open the breaker', async () => {
  for (let n = 0; n < 10; n++) {
    await ask('model down')
    clock.advance(16_000)
  }
  expect(await ask('Hi')).toMatchObject({ kind: 'proposed' })
})

const proposal = JSON.stringify({
  action: 'none',
  text: '',
  handoff_reason: null,
  disposition: null,
  extracted: { timeframe: null, area: null, budget: null },
})

/** A model that returns these responses in order, and the requests that it got. */
function saying(...responses: ModelResponse[]) {
  const limits: number[] = []
  const propose: LanguageModel['propose'] = async ({ maxTokens }) => {
    limits.push(maxTokens)
    return responses[limits.length - 1] ?? { kind: 'fault', fault: 'rejected', message: 'no more' }
  }
  return { limits, model: { name: 'said', price: { input: 0, output: 0 }, thinkingTokens: 4_000, propose } }
}

const usage = { promptTokens: 10, completionTokens: 2 }
const askOf = (other: LanguageModel) => askModel(other, breaker, { system: '', turns: [] }, replyForm)

test.each(['cut_off', 'declined'] as const)(
  '%s: no second request, and the breaker stays closed',
  async (fault) => {
    const cutOff = { kind: 'fault', fault, message: 'more than 4700 tokens', usage } as const
    for (let n = 0; n < 6; n++) {
      const { model: other, limits } = saying(cutOff)
      expect(await askOf(other)).toEqual({
        kind: 'fault',
        reason: fault,
        detail: 'more than 4700 tokens',
        usage,
      })
      expect(limits).toEqual([4_700])
    }
  },
)

test.each([
  ['as it is', proposal],
  ['in a fence', `\`\`\`json\n${proposal}\n\`\`\``],
  ['after thinking aloud', `<think>\nShould I?\n</think>\n\n${proposal}`],
  ['after thinking that its template began', `Should I? <no>\n</think>\n${proposal}`],
  ['both', `<think></think>\`\`\`\n${proposal}\n\`\`\`\n`],
])('a server that enforces no schema may return the JSON %s', async (_, text) => {
  expect(await askOf(saying({ kind: 'said', text, usage }).model)).toMatchObject({ kind: 'proposed' })
})

test('JSON with other words or extra members is requested again', async () => {
  for (const text of [`Here it is: ${proposal}`, proposal.replace('{', '{"tool":"send_sms",')]) {
    const { model: other, limits } = saying(
      { kind: 'said', text, usage },
      { kind: 'said', text: proposal, usage },
    )
    expect(await askOf(other)).toEqual({
      kind: 'proposed',
      proposal: JSON.parse(proposal),
      usage: { promptTokens: 20, completionTokens: 4 },
    })
    expect(limits).toHaveLength(2)
  }
})

test('usage that a server does not report is marked as uncounted', async () => {
  expect(await askOf(saying({ kind: 'said', text: proposal, usage: undefined }).model)).toMatchObject({
    kind: 'proposed',
    isUncounted: true,
  })
  const late = { kind: 'fault', fault: 'timeout', message: 'no response within 20 s' } as const
  expect(await askOf(saying(late).model)).toMatchObject({ reason: 'model_down', isUncounted: true })
  const { model: twice } = saying(
    { kind: 'said', text: '', usage: undefined },
    { kind: 'said', text: proposal, usage },
  )
  expect(await askOf(twice)).toMatchObject({ kind: 'proposed', isUncounted: true, usage })
})
