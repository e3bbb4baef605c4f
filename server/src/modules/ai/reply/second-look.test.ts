import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import type { ModelRequest } from '../ports.ts'

let scene: AiScene

const subtle = 'Generations have raised their families on this street.'
const reply = (match: string, text: string) => ({ match, say: { action: 'reply', text } })
const review = (match: string, more: object) => ({ match, of: 'review' as const, ...more })

beforeAll(async () => {
  scene = await openAiScene([
    review('raised their families', {
      say: { findings: [{ code: 'content_fair_housing', words: 'raised their families' }] },
    }),
    review('brass knocker', { behavior: 'malformed' }),
    review('copper knocker', { behavior: 'down' }),
    reply('subtle', subtle),
    reply('brass', 'It has a brass knocker.'),
    reply('copper', 'It has a copper knocker.'),
    reply('plain', 'It is a safe neighborhood.'),
    reply('', 'Which day suits you?'),
  ])
})
afterAll(() => scene[Symbol.asyncDispose]())
beforeEach(async () => {
  scene.app.clock.advance(120_000)
  const { agent } = scene.texting
  for (const { id } of (await agent.get('/personas?enabled=true')).body.data)
    await agent.patch(`/personas/${id}`, { enabled: false })
  await agent.patch('/ai-settings', { second_look: true, daily_budget: 5 })
})

/** The outcome of the response to a text. */
async function respondTo(text: string) {
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, text)
  await scene.respond()
  const [generation] = await scene.generations(id)
  const written = (await scene.messagesOf(id)).filter(({ ai_generated }) => ai_generated)
  return { id, generation: orNotFound(generation), statuses: written.map(({ status }) => status) }
}

test('a text without findings is sent, and both requests are counted', async () => {
  await scene.persona()
  const { generation, statuses } = await respondTo('Hi')
  expect(statuses).toEqual(['queued'])
  expect(generation['checks']).toEqual(['second_look_passed'])
  await scene.texting.agent.patch('/ai-settings', { second_look: false })
  const without = await respondTo('Hi')
  expect(without.statuses).toEqual(['queued'])
  expect(without.generation['checks']).toEqual([])
  expect(Number(generation['prompt_tokens'])).toBeGreaterThan(Number(without.generation['prompt_tokens']))
})

test.each(['auto', 'approve', 'suggest'])('a text with findings is handed off in mode %s', async (mode) => {
  await scene.persona({ mode })
  const { id, generation, statuses } = await respondTo('be subtle')
  expect(statuses).toEqual([])
  expect(generation).toMatchObject({
    decision: 'handed_off',
    reason: 'text_blocked',
    checks: ['second_look_raised', 'content_fair_housing'],
  })
  expect(await scene.contact(id)).toMatchObject({ ai_paused_reason: 'handoff' })
})

test('a text that the rules block gets no second look', async () => {
  await scene.persona()
  const { generation } = await respondTo('be plain')
  expect(generation).toMatchObject({ reason: 'text_blocked', checks: ['content_fair_housing'] })
})

test.each([
  ['writes what cannot be used', 'brass', 'malformed'],
  ['is down', 'copper', 'model_down'],
])('if the model %s during the second look, nothing is sent without a person', async (_, text, reason) => {
  const { id: persona } = await scene.persona()
  const { statuses, generation } = await respondTo(text)
  expect(statuses).toEqual([])
  expect(generation).toMatchObject({ decision: 'handed_off', reason, checks: ['second_look_failed'] })
  await scene.texting.agent.patch(`/personas/${String(persona)}`, { mode: 'approve' })
  const waiting = await respondTo(text)
  expect(waiting.statuses).toEqual(['pending_approval'])
  expect(waiting.generation).toMatchObject({ decision: 'pending', checks: ['second_look_failed'] })
})

test('a STOP during the second look blocks the text', async () => {
  await scene.persona()
  const { id, phone } = await scene.person()
  await scene.texting.text(phone, 'Hi')
  const model = orNotFound(scene.responder.model)
  let asked = 0
  scene.responder.model = {
    ...model,
    async propose(request: ModelRequest) {
      const said = await model.propose(request)
      if (++asked === 2) await scene.texting.text(phone, 'STOP')
      return said
    },
  }
  await scene.respond()
  scene.responder.model = model
  expect(asked).toBe(2)
  const written = (await scene.messagesOf(id)).filter(({ ai_generated }) => ai_generated)
  expect(written.filter(({ status }) => status !== 'blocked')).toEqual([])
})

test('unused budget is released; a budget too small for the second look hands off the text', async () => {
  await scene.persona()
  const { agent } = scene.texting
  const model = orNotFound(scene.responder.model)
  // The first request reserves 1.4 dollars, the second look 0.8.
  const priced = { ...model, price: { input: 0, output: 1_000_000_000 } }
  scene.app.clock.advance(24 * 3_600_000)
  await agent.patch('/ai-settings', { daily_budget: 1.45 })
  scene.responder.model = priced
  const covered = await respondTo('Hi')
  expect(covered.generation).toMatchObject({ decision: 'queued', checks: ['second_look_passed'] })
  expect(Number(covered.generation['price'])).toBeLessThan(200_000)
  await agent.patch('/ai-settings', { daily_budget: 5 })
  scene.responder.model = {
    ...priced,
    async propose(request: ModelRequest) {
      await agent.patch('/ai-settings', { daily_budget: 0.5 })
      return model.propose(request)
    },
  }
  const { generation, statuses } = await respondTo('Hi')
  scene.responder.model = model
  expect(statuses).toEqual([])
  expect(generation).toMatchObject({
    decision: 'handed_off',
    reason: 'budget',
    checks: ['second_look_failed'],
  })
})
