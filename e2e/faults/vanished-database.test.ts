import { testApp } from '@gable/server/test/support/app.ts'
import { closePools, workerDatabase } from '@gable/server/test/support/database.ts'
import { expect, test } from 'vitest'
import { openLine } from './database-line.ts'

const one = { text: 'select 1', values: [] }

test('an unreachable database host fails queries with 503 after the response timeout; then all recover', async () => {
  await using line = await openLine(await workerDatabase())
  await using app = await testApp({ databaseUrl: line.url, responseTimeoutMs: 1000 })
  const { database } = app.runtime
  const { ctx } = await app.workspace()
  const client = await app.credential()
  const queries = {
    read: () => ctx.db.run(one),
    search: () => ctx.searches().run(one),
    authentication: () => database.authenticator.run(one),
    transaction: () => ctx.transaction((tx) => tx.run(one)),
    directory: () => ctx.directory.run(one),
  }
  const fourOfEach = Object.values(queries).flatMap((query) => Array.from({ length: 4 }, () => query))
  // Opens every connection: an open one that turns silent differs from one that cannot be opened.
  await Promise.all(fourOfEach.map((query) => query()))

  line.vanish()
  const since = performance.now()
  const outcomes = await Promise.allSettled(fourOfEach.map((query) => query()))
  const tookMs = performance.now() - since
  expect(outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.status)).toEqual(
    outcomes.map(() => 503),
  )
  expect(tookMs).toBeGreaterThan(900)
  expect(tookMs).toBeLessThan(10_000)
  expect((await client.get('/contacts')).status).toBe(503)

  line.restore()
  await expect.poll(async () => (await client.get('/contacts')).status, { timeout: 20_000 }).toBe(200)
  await Promise.all(fourOfEach.map((query) => query()))
  expect((await client.post('/contacts', { first_name: 'Ada' })).status).toBe(201)
})

test('once one connection is found dead, the idle ones are probed: callers do not find each of them', async () => {
  await using line = await openLine(await workerDatabase())
  await using app = await testApp({ databaseUrl: line.url, responseTimeoutMs: 1000 })
  const { database } = app.runtime
  const { ctx } = await app.workspace()
  const open = () =>
    Promise.all([
      ...Array.from({ length: 4 }, () => ctx.db.run(one)),
      ...Array.from({ length: 8 }, () => ctx.searches().run(one)),
      ...Array.from({ length: 8 }, () => ctx.transaction((tx) => tx.run(one))),
      database.authenticator.run(one),
    ])
  await open()
  await closePools()
  line.vanish()
  await expect(database.authenticator.run(one)).rejects.toMatchObject({ status: 503 })
  line.restore()
  // The connections from before stay silent. Each is closed, and the next caller opens another one.
  await expect.poll(() => line.ports().length, { timeout: 20_000 }).toBe(0)
  await open()
})
