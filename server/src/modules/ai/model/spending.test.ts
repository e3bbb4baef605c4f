import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AiScene, openAiScene } from '#test/scenes/ai.ts'
import { asOwner } from '#test/support/database.ts'
import type { LanguageModel } from '../ports.ts'
import type { Asked } from './ask-model.ts'
import { reserve, settle } from './spending.ts'

let scene: AiScene

beforeAll(async () => {
  scene = await openAiScene([])
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A model that costs one dollar per token written. */
const model: LanguageModel = {
  name: 'dear',
  price: { input: 0, output: 1e12 },
  propose: () => Promise.reject(new Error('It is not asked.')),
}
const prompt = { system: '', turns: [] }
const reserveOf = (maxTokens: number, of = model) =>
  scene.texting.workspace.ctx.transaction((tx) => reserve(tx, of, prompt, { maxTokens }, tx.clock.now()))
const spent = async () => {
  const rows = await asOwner<{ spent: string }>(
    scene.app.databaseUrl,
    'select spent from ai_spending where workspace_id = $1 order by day desc limit 1',
    [scene.texting.workspace.id],
  )
  return Number(rows[0]?.spent ?? 0) / 1e6
}
const anotherDay = () => scene.app.clock.advance(24 * 3_600_000)

test('concurrent reservations never exceed the budget', async () => {
  await scene.texting.agent.patch('/ai-settings', { daily_budget: 11 })
  const reserved = await Promise.all(Array.from({ length: 24 }, () => reserveOf(1)))
  expect(reserved.filter((amount) => amount !== undefined)).toEqual([2e6, 2e6, 2e6, 2e6, 2e6])
  expect(await spent()).toBe(10)
  expect(await reserveOf(1)).toBeUndefined()
})

test('a single request over the budget is not reserved', async () => {
  anotherDay()
  await scene.texting.agent.patch('/ai-settings', { daily_budget: 1 })
  expect(await reserveOf(1)).toBeUndefined()
})

test('thinking tokens are reserved too', async () => {
  anotherDay()
  await scene.texting.agent.patch('/ai-settings', { daily_budget: 11 })
  expect(await reserveOf(1, { ...model, thinkingTokens: 4 })).toBe(10e6)
})

const usage = { promptTokens: 0, completionTokens: 1 }
const proposed: Asked<string> = { kind: 'proposed', proposal: '', usage }
const fault = (more: object): Asked<string> => ({
  kind: 'fault',
  reason: 'cut_off',
  detail: '',
  usage,
  ...more,
})

test.each([
  ['has written', proposed, 1],
  ['has written without a count', { ...proposed, isUncounted: true as const }, 6],
  ['has been cut off', fault({}), 1],
  ['responds too late', fault({ isUncounted: true }), 6],
])('a model that %s costs its known usage, or else the full reservation', async (_, asked, dollars) => {
  anotherDay()
  const { ctx } = scene.texting.workspace
  const startedAt = ctx.clock.now()
  const reserved = (await reserveOf(3)) ?? 0
  expect(reserved).toBe(6e6)
  const price = await ctx.transaction(async (tx) => settle(tx, model, { reserved, startedAt, asked }))
  expect(price).toBe(dollars * 1e6)
  expect(await spent()).toBe(dollars)
})
