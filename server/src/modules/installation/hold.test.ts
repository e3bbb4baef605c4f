import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { beginHold, watchHold } from './hold.ts'
import { endHold } from './queries.ts'
import { requireSecret } from './secret-check.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('hold') })
  await requireSecret(app.runtime.database.directory, app.runtime.keys)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => release())

const release = () => app.runtime.database.directory.transaction(async (tx) => endHold(tx))
const hold = () =>
  beginHold(app.runtime.database.directory, { from: null, to: app.clock.now().toISOString() })

/** Longer than the pause between two looks. */
const aWhile = 10_000
const soon = { timeout: 30_000, interval: 10 }

test('a process that runs notices a hold, and its end', async () => {
  await using watch = await watchHold(app.runtime, async () => false)
  expect(watch.isHeld()).toBe(false)
  await hold()
  app.clock.advance(aWhile)
  await vi.waitUntil(() => watch.isHeld(), soon)
  await release()
  app.clock.advance(aWhile)
  await vi.waitUntil(() => !watch.isHeld(), soon)
})

test.each([
  ['an older one', true],
  ['the same one', false],
])('after a lost connection, nothing may leave until the database turns out to be %s', async (_, isOlder) => {
  const compared = Promise.withResolvers<boolean>()
  let compares = 0
  await using watch = await watchHold(app.runtime, () =>
    ++compares === 1 ? Promise.resolve(false) : compared.promise,
  )
  await vi.waitUntil(() => !watch.isHeld(), soon)
  const before = compares
  await asOwner(
    app.databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'gable %'`,
  )
  await vi.waitUntil(() => compares > before, soon)
  expect(watch.isHeld()).toBe(true)
  app.clock.advance(aWhile)
  expect(watch.isHeld()).toBe(true)
  compared.resolve(isOlder)
  await vi.waitUntil(() => watch.isHeld() === isOlder, soon)
  app.clock.advance(aWhile)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(watch.isHeld()).toBe(isOlder)
})

test('what cannot be compared is held', async () => {
  let isAway = true
  await using watch = await watchHold(app.runtime, async () => {
    if (isAway) throw new Error('The database is away.')
    return false
  })
  expect(watch.isHeld()).toBe(true)
  isAway = false
  app.clock.advance(aWhile)
  await vi.waitUntil(() => !watch.isHeld(), soon)
})
