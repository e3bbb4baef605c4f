import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startEmbeddedPostgres } from '#kernel/db/embedded/cluster.ts'
import { migrate } from '#kernel/migrate.ts'
import { asOwner } from '#test/support/database.ts'
import { startChanges } from './changes.ts'
import { newDataDirectory } from './data-directory.ts'
import { bounds, newTenants, openScene, untilDelivered } from './scene.ts'
import { expectTold } from './subscriptions.ts'

/** `GABLE_FAULT_ROUNDS` for more of them. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 5)
vi.setConfig({ testTimeout: 120_000 + rounds * 60_000 })

test('PostgreSQL is killed and shut down again and again: all that was committed is delivered, and nothing else', async ({
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
  const answers = () =>
    asOwner(url, 'select').then(
      () => true,
      () => false,
    )
  for (let round = 0; round < rounds; round++) {
    // One that ends again and again is started ever more slowly, until it has stayed up for 5 s.
    if (round >= 5) await sleep(5500)
    const enough = scene.receiver.arrivals.length + 200
    await vi.waitUntil(() => scene.receiver.arrivals.length >= enough, bounds)
    await sleep(scene.random.next() * 200)
    const { answer } = await scene.receiver.hold()
    process.kill((await data.postmaster()) ?? NaN, round % 2 === 0 ? 'SIGKILL' : 'SIGINT')
    await vi.waitUntil(async () => !(await answers()), bounds)
    answer()
    await vi.waitUntil(answers, bounds)
    await untilDelivered(scene)
  }
  await changes.stop()
  await untilDelivered(scene)
  const told = await expectTold(url, scene.receiver, subscriptions)
  expect(changes.surprises).toEqual([])
  expect(changes.unanswered).toBeGreaterThan(rounds)
  for (const worker of scene.workers) {
    worker.kill('SIGTERM')
    expect(await worker.exit).toEqual({ code: 0, signal: null })
  }
  await annotate(
    `${rounds} restarts: ${told.events} events, ${told.deliveries} deliveries, ${told.arrivals} arrivals, ${changes.unanswered} requests unanswered.`,
  )
})
