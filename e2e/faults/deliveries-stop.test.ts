import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newKeys } from './keys.ts'
import { bounds, countPending, openScene } from './scene.ts'
import { subscribe } from './subscriptions.ts'
import { startWorker } from './worker-process.ts'

vi.setConfig({ testTimeout: 180_000 })

interface DeliveryRow {
  webhook_id: string
  id: string
  status: string
  attempt: number
  claimed_by: string | null
  failures: (string | null)[] | null
}

const deliveriesIn = (url: string) =>
  asOwner<DeliveryRow>(
    url,
    `select webhook_id, id, status, attempt, claimed_by,
       (select jsonb_agg(record->'failure') from jsonb_array_elements(attempts) record) as failures
     from webhook_deliveries`,
  )

test('SIGTERM settles running attempts and releases waiting ones, which the next process sends at once', async () => {
  await using scene = await openScene('deliveries_stop', { workers: 1 })
  const { receiver, api, env } = scene
  const [worker] = scene.workers
  const keys = await newKeys(env.DATABASE_URL, 20)
  const { workspaceId } = keys
  const post = async (count: number) => {
    const contact = { method: 'POST', path: '/contacts', body: { last_name: 'Delivered' } }
    for (let left = count; left > 0; left -= 20) {
      await Promise.all(Array.from({ length: 20 }, () => ask(api.base, { ...contact, key: keys.next() })))
    }
  }
  // Fast at first, so that the worker claims many deliveries, then slow.
  const slow = await subscribe(api.base, receiver, { workspaceId, key: keys.next() })
  await post(100)
  await vi.waitUntil(() => receiver.arrivals.length === 100, bounds)
  receiver.behaviors.set(slow.path, () => sleep(1000, 200))
  const dead = await subscribe(api.base, receiver, { workspaceId, key: keys.next() })
  receiver.behaviors.set(dead.path, () => new Promise(() => {}))
  await post(200)
  await vi.waitUntil(() => receiver.arrivals.some(({ path }) => path === dead.path), bounds)
  const inHand = (await deliveriesIn(env.DATABASE_URL)).filter(({ claimed_by }) => claimed_by !== null)

  worker?.kill('SIGTERM')
  const since = performance.now()
  expect(await worker?.exit).toEqual({ code: 0, signal: null })
  expect(performance.now() - since).toBeLessThan(25_000)

  const arrived = new Set(receiver.arrivals.map(({ deliveryId }) => deliveryId))
  expect(arrived.size, 'none twice').toBe(receiver.arrivals.length)
  const left = await deliveriesIn(env.DATABASE_URL)
  expect(inHand.length).toBeGreaterThan(20)
  for (const { webhook_id, id, ...row } of left) {
    const { status, failures } = webhook_id === slow.id ? delivered : interrupted
    expect(row).toEqual(
      arrived.has(id)
        ? { status, attempt: 1, claimed_by: null, failures }
        : { status: 'pending', attempt: 0, claimed_by: null, failures: null },
    )
  }
  expect(await asOwner(env.DATABASE_URL, 'select from webhook_leases')).toEqual([])

  receiver.behaviors.clear()
  await using _next = await startWorker(env)
  const ready = performance.now()
  await vi.waitUntil(async () => (await countPending(env.DATABASE_URL, new Date(), slow.id)) === 0, bounds)
  const first = receiver.arrivals[arrived.size]
  expect((first?.at ?? Infinity) - ready).toBeLessThan(5000)
  const all = receiver.arrivals.filter(({ path }) => path === slow.path)
  expect(new Set(all.map(({ eventId }) => eventId)).size).toBe(300)
  expect(all).toHaveLength(300)
})

const delivered = { status: 'delivered', failures: [null] }
const interrupted = { status: 'pending', failures: ['no response within 10 s'] }
