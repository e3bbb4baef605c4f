import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { type Question, ask } from './ask.ts'
import { newKeys } from './keys.ts'
import { bounds, countPending, openScene } from './scene.ts'
import { expectDelivered, subscribe } from './subscriptions.ts'

vi.setConfig({ testTimeout: 180_000 })

test('a worker that misses the response to a release does not release its later claims', async () => {
  await using scene = await openScene('deliveries_unheard', { workers: 1 })
  const { receiver, api, env } = scene
  const [worker] = scene.workers
  const keys = await newKeys(env.DATABASE_URL, 20)
  const { workspaceId } = keys
  const post = async (count: number) => {
    const contact = (): Question => ({
      method: 'POST',
      path: '/contacts',
      key: keys.next(),
      body: { last_name: 'Delivered' },
    })
    for (let left = count; left > 0; left -= 20) {
      await Promise.all(Array.from({ length: 20 }, () => ask(api.base, contact())))
    }
  }
  // Fast at first, so that the worker claims many deliveries; then slow, so that it has to release them.
  const subscription = await subscribe(api.base, receiver, { workspaceId, key: keys.next() })
  await post(100)
  await vi.waitUntil(() => receiver.arrivals.length === 100, bounds)
  receiver.behaviors.set(subscription.path, () => sleep(300, 200))
  await post(200)
  await sleep(200)
  const rows = await asOwner<{ client_port: number }>(
    env.DATABASE_URL,
    `select client_port from pg_stat_activity
     where datname = current_database() and application_name = 'gable gable_sender' and query like '%webhook_deliveries%' and query not like '%recursive%'`,
  )
  const settlements = rows.map(({ client_port }) => client_port)
  expect(settlements).toHaveLength(1)
  worker?.kill('SIGSTOP')
  await sleep(1200)
  worker?.line.muffle(settlements)
  worker?.kill('SIGCONT')
  await sleep(150)
  worker?.line.cut(settlements)
  await vi.waitUntil(async () => (await countPending(env.DATABASE_URL)) === 0, bounds)
  await expectDelivered(env.DATABASE_URL, receiver, [subscription])
})
