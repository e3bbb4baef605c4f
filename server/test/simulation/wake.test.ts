import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import {
  deliveryWorkers,
  releaseEndpointLeases,
} from '../../src/modules/deliveries/dispatcher/queue-queries.ts'
import { type RealQueue, deliveryIdOf, openRealQueue } from './real-queue.ts'

let app: TestApp
let queue: RealQueue
beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('simulation_wake') })
  queue = await openRealQueue(app)
  await queue.addHooks('w', ['h'], ['contacts:read'])
})
afterAll(async () => {
  await queue[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

/** A worker's connection, and how often it was woken. */
function openWorker() {
  const woken = { times: 0 }
  const sender = app.runtime.database.across('gable_sender', [], () => void woken.times++)
  return {
    sender,
    /** Returns how often it was woken since the last call. Notifications arrive before the result of a later statement. */
    async timesWoken(): Promise<number> {
      await releaseEndpointLeases(sender, 'none')
      const { times } = woken
      woken.times = 0
      return times
    },
    [Symbol.asyncDispose]: () => sender[Symbol.asyncDispose](),
  }
}

async function publish(scope = 'contacts:read'): Promise<string> {
  const eventId = newId(app.clock.now())
  await queue.publish('w', eventId, scope)
  return eventId
}

test('new deliveries wake every idle worker and no busy one', async () => {
  await using one = openWorker()
  await using other = openWorker()
  await publish()
  expect(await one.timesWoken()).toBe(0)
  await deliveryWorkers.becomeIdle(one.sender)
  await deliveryWorkers.becomeIdle(other.sender)
  await publish()
  expect(await one.timesWoken()).toBe(1)
  expect(await other.timesWoken()).toBe(1)
  await deliveryWorkers.becomeBusy(one.sender)
  await deliveryWorkers.becomeBusy(other.sender)
  await publish()
  expect(await one.timesWoken()).toBe(0)
})

test('an event without deliveries wakes no worker, but a redelivery does', async () => {
  await using worker = openWorker()
  const eventId = await publish()
  await queue.setDisabled('h', true)
  await queue.failPending('w', 'h')
  await queue.setDisabled('h', false)
  await deliveryWorkers.becomeIdle(worker.sender)
  await publish('deals:read')
  expect(await worker.timesWoken()).toBe(0)
  await queue.requeue('w', 'h', deliveryIdOf(eventId, 'h'))
  expect(await worker.timesWoken()).toBe(1)
})

test('an idle worker that disconnects does not prevent another from being woken', async () => {
  await using worker = openWorker()
  {
    await using gone = openWorker()
    await deliveryWorkers.becomeIdle(gone.sender)
    await deliveryWorkers.becomeIdle(worker.sender)
  }
  await deliveryWorkers.becomeIdle(worker.sender)
  await publish()
  expect(await worker.timesWoken()).toBe(1)
})

test('a worker does not rest while a writer that saw no idle worker has yet to commit', async () => {
  await using worker = openWorker()
  await using other = openWorker()
  const { ctx } = await app.workspace()
  await ctx.transaction(async (tx) => {
    tx.write`select ${deliveryWorkers.wake}`
    await tx.flush()
    expect(await deliveryWorkers.becomeIdle(worker.sender)).toBe(false)
  })
  expect(await worker.timesWoken()).toBe(0)
  expect(await deliveryWorkers.becomeIdle(worker.sender)).toBe(true)
  expect(await deliveryWorkers.becomeIdle(other.sender), 'the lock of the first one serves both').toBe(true)
  await publish()
  expect([await worker.timesWoken(), await other.timesWoken()]).toEqual([1, 1])
})
