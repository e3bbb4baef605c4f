import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { gableWith } from '#test/support/gable.ts'

let carrier: SimulatedCarrier

beforeAll(async () => {
  const say = { action: 'reply', text: 'Gladly. Which day suits you?' }
  carrier = await startCarrier({
    host: '127.0.0.1',
    port: 0,
    now: () => new Date('2026-03-02T15:00:00.000Z'),
    script: [
      { match: 'corner unit', behavior: 'down' },
      { match: 'safe area', say: { ...say, text: 'It is a very safe area.' } },
      { match: '', say },
    ],
  })
})
afterAll(() => carrier[Symbol.asyncDispose]())

const gable = gableWith(() => ({
  AI_URL: `${carrier.origin}/model/v1`,
  AI_MODEL: 'scripted',
  AI_PRICE: '0/0',
}))

test('ai eval prints the model’s reply to each conversation and its issues', async () => {
  const { code, out, err } = await gable(['ai', 'eval'])
  expect(code).toBe(1)
  expect(err).toContain('a showing: holds')
  expect(out).toMatch(/^a showing +reply +Gladly\. Which day suits you\? +-$/m)
  expect(out).toMatch(/^steering, safety +reply +It is a very safe area\. +content_fair_housing: /m)
  expect(out).toMatch(/^the model is down +model_down +- +model_down: status 503$/m)
})

test('ai eval fails without a model', async () => {
  expect(await gableWith(() => ({}))(['ai', 'eval'])).toMatchObject({
    code: 1,
    err: expect.stringContaining('Set AI_URL, AI_MODEL, and AI_PRICE'),
  })
})
