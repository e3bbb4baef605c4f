import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { beginHold, findHold, watchHold } from './hold.ts'
import { endHold, findRestoredAt } from './queries.ts'
import { requireSecret } from './secret-check.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('hold') })
  await requireSecret(app.runtime.database.directory, app.runtime.keys)
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => release())

const release = async () => {
  const { directory } = app.runtime.database
  const hold = await findHold(directory)
  if (hold !== undefined) await directory.transaction((tx) => endHold(tx, hold.since))
}
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

test('of processes that begin a hold at once, one does, and a hold that fails halfway leaves nothing', async () => {
  const { directory } = app.runtime.database
  const times = ['2026-03-02T15:00:01.000Z', '2026-03-02T15:00:02.000Z', '2026-03-02T15:00:03.000Z']
  await Promise.all(times.map((to) => beginHold(directory, { from: null, to })))
  const held = await findHold(directory)
  expect(times).toContain(held?.since)
  expect((await findRestoredAt(directory))?.toISOString()).toBe(held?.since)
  await release()

  // A process that has recorded the restore and then fails must compare again at its next start.
  await asOwner(
    app.databaseUrl,
    "alter table installation_identity add constraint failing check (restored_at < '2026-03-03')",
  )
  await expect(beginHold(directory, { from: null, to: '2026-03-04T00:00:00.000Z' })).rejects.toThrow(
    'failing',
  )
  await asOwner(app.databaseUrl, 'alter table installation_identity drop constraint failing')
  expect(await findHold(directory)).toBeUndefined()
  expect((await findRestoredAt(directory))?.toISOString()).toBe(held?.since)

  await asOwner(app.databaseUrl, `alter table installation add constraint failing check (held_since is null)`)
  await expect(beginHold(directory, { from: null, to: '2026-03-04T00:00:00.000Z' })).rejects.toThrow(
    'failing',
  )
  await asOwner(app.databaseUrl, 'alter table installation drop constraint failing')
  expect((await findRestoredAt(directory))?.toISOString()).toBe(held?.since)
})

test('processes that start at once over an older database are both held, by one hold', async () => {
  const older = async () => true
  await using one = await watchHold(app.runtime, older)
  await using other = await watchHold(app.runtime, older)
  expect([one.isHeld(), other.isHeld()]).toEqual([true, true])
  expect(await findHold(app.runtime.database.directory)).toBeDefined()
})

test('a database that was held when it was saved is held from its latest return', async () => {
  const { directory } = app.runtime.database
  await hold()
  app.clock.advance(60_000)
  // What was queued in this minute may have left since.
  await hold()
  const now = app.clock.now().toISOString()
  expect(await findHold(directory)).toEqual({ since: now, uncovered: { from: null, to: now } })
  expect((await findRestoredAt(directory))?.toISOString()).toBe(now)
})

test('a release ends the hold that was reviewed, and no later one', async () => {
  const { directory } = app.runtime.database
  await hold()
  const reviewed = (await findHold(directory)) ?? expect.unreachable()
  await release()
  app.clock.advance(1000)
  await hold()
  expect(await directory.transaction((tx) => endHold(tx, reviewed.since))).toBe(false)
  expect(await findHold(directory)).toBeDefined()
})
