import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { later } from '#kernel/clock.ts'
import { newId } from '#kernel/ids.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { findNextClaimAcrossWorkspaces } from '../../src/modules/deliveries/dispatcher/queue-queries.ts'
import { type RealQueue, openRealQueue } from './real-queue.ts'

let app: TestApp
let queue: RealQueue
beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('simulation_next_due') })
  queue = await openRealQueue(app)
  await queue.addHooks('w', ['h1', 'h2'], ['contacts:read'])
})
afterAll(async () => {
  await queue[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const change = (text: string, values: unknown[] = []) => asOwner(app.databaseUrl, text, values)
const inSeconds = (seconds: number) => later(app.clock.now(), seconds * 1000)

beforeEach(async () => {
  await change('delete from webhook_deliveries')
  await change('delete from webhook_leases')
  await queue.setPaused('h1', false)
  await queue.publish('w', newId(app.clock.now()), 'contacts:read')
  await change("update webhook_deliveries set attempt = 1, due_at = $1 where webhook_id = 'h1'", [
    inSeconds(120),
  ])
  await change("update webhook_deliveries set attempt = 1, due_at = $1 where webhook_id = 'h2'", [
    inSeconds(240),
  ])
})

/** When a resting worker claims next, in seconds from now. */
async function nextDue(): Promise<number | null> {
  await using sender = app.runtime.database.across('gable_sender')
  const at = await findNextClaimAcrossWorkspaces(sender, 'me', app.clock.now(), app.clock)
  return at === null ? null : (Date.parse(at) - app.clock.now().getTime()) / 1000
}

test('a resting worker claims next when the first retry is due', async () => {
  expect(await nextDue()).toBe(120)
})

test('a worker does not rest past a delivery that is due already', async () => {
  await change("update webhook_deliveries set due_at = $1 where webhook_id = 'h2'", [inSeconds(-5)])
  expect(await nextDue()).toBe(-5)
})

test('paused webhooks do not keep a worker from resting', async () => {
  await queue.setPaused('h1', true)
  expect(await nextDue()).toBe(240)
})

test('what another worker has claimed is due when the claim expires', async () => {
  await change(
    "update webhook_deliveries set due_at = $1, claimed_by = 'gone', claimed_until = $2 where webhook_id = 'h2'",
    [inSeconds(-5), inSeconds(75)],
  )
  expect(await nextDue()).toBe(75)
})

test('an endpoint that another worker has leased is due when the lease ends', async () => {
  await change("update webhook_deliveries set due_at = $1 where webhook_id = 'h2'", [inSeconds(-5)])
  await change("insert into webhook_leases values ('w', 'h2', 'other', $1), ('w', 'h1', 'me', $2)", [
    inSeconds(20),
    inSeconds(300),
  ])
  expect(await nextDue()).toBe(20)
})

test('without pending deliveries, nothing is due', async () => {
  await change("update webhook_deliveries set status = 'delivered'")
  expect(await nextDue()).toBeNull()
})
