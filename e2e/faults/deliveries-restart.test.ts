import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbeddedPostgres } from '@gable/postgres/start.ts'
import { migrate } from '@gable/server/src/kernel/migrate.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { startChanges } from './changes.ts'
import { newDataDirectory } from './data-directory.ts'
import { bounds, newTenants, openScene, untilDelivered } from './scene.ts'
import { expectDelivered } from './subscriptions.ts'

/** `GABLE_FAULT_ROUNDS` sets their number. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 3)
vi.setConfig({ testTimeout: 120_000 + rounds * 60_000 })

test('exactly the committed events are delivered despite repeated PostgreSQL crashes and shutdowns', async ({
  annotate,
}) => {
  await using data = await newDataDirectory()
  await using postgres = await startEmbeddedPostgres({ dataDir: data.path, exclusive: true })
  const { url } = postgres
  await migrate(url)
  const env = { DATABASE_URL: url, APP_SECRET: 'a secret that only the tests know and long enough' }
  await using scene = await openScene('', { workers: 2, env })
  const { tenants, subscriptions } = await newTenants(scene, 3)
  const changes = startChanges(scene.api.base, tenants, scene.random)
  const isReady = () =>
    asOwner(url, 'select').then(
      () => true,
      () => false,
    )
  for (let round = 0; round < rounds; round++) {
    // After repeated failures it is restarted with growing delays, until it has run for 5 s.
    if (round >= 5) await sleep(5500)
    const enough = scene.receiver.arrivals.length + 200
    await vi.waitUntil(() => scene.receiver.arrivals.length >= enough, bounds)
    await sleep(scene.random.next() * 200)
    const { respond } = await scene.receiver.hold()
    process.kill((await data.postmaster()) ?? NaN, round % 2 === 0 ? 'SIGKILL' : 'SIGINT')
    await vi.waitUntil(async () => !(await isReady()), bounds)
    respond()
    await vi.waitUntil(isReady, bounds)
    await untilDelivered(scene)
  }
  await changes.stop()
  await untilDelivered(scene)
  const received = await expectDelivered(url, scene.receiver, subscriptions)
  expect(changes.surprises).toEqual([])
  expect(changes.interrupted).toBeGreaterThan(rounds)
  for (const worker of scene.workers) {
    worker.kill('SIGTERM')
    expect(await worker.exit).toEqual({ code: 0, signal: null })
  }
  await annotate(
    `${rounds} restarts: ${received.events} events, ${received.deliveries} deliveries, ${received.arrivals} arrivals, ${changes.interrupted} requests without a response.`,
  )
})
