import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { defineError } from '../errors.ts'
import { type Handler, handleIdempotently } from './idempotency.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const AlreadyDone = defineError('already_done', 409, () => ({ message: 'It is done.' }))

const handler: Handler = {
  handle: async () => ({ status: 200, body: { done: true } }),
  responseOf: () => ({ status: 500, body: {} }),
  write: ({ body }) => JSON.stringify(body),
  seals: false,
}

test('a request that fails to prepare because the first with its key just finished replays its response', async () => {
  const { ctx } = await app.workspace()
  const attempt = { credentialId: 'a credential', key: 'once', request: 'a request', subjects: [] }
  const run = (prepare?: () => Promise<unknown>, key = 'once') =>
    handleIdempotently(app.runtime, ctx, { ...attempt, key }, { ...handler, prepare })
  const second = await run(async () => {
    await run()
    throw AlreadyDone()
  })
  expect(second).toEqual({ status: 200, text: '{"done":true}', replayed: true })
  const other = run(async () => {
    throw AlreadyDone()
  }, 'another')
  await expect(other).rejects.toMatchObject({ code: 'already_done' })
})
