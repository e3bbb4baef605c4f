import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startChanges } from './changes.ts'
import { faults, holderOf, moments } from './delivery-faults.ts'
import type { Receiver } from './receiver.ts'
import { bounds, newTenants, openScene, untilDelivered } from './scene.ts'
import { expectTold } from './subscriptions.ts'

/** `GABLE_FAULT_ROUNDS` for more of them, `GABLE_FAULT_SEED` for the moments of an earlier run. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 5)
const seed = Number(process.env['GABLE_FAULT_SEED'] ?? randomInt(2 ** 31))
vi.setConfig({ testTimeout: 120_000 + rounds * 60_000 })

test(`whatever happens to a worker at whatever moment, all that was committed is delivered, and nothing else (seed ${seed})`, async ({
  annotate,
}) => {
  await using scene = await openScene('deliveries_kill', { workers: 2, seed })
  const { tenants, subscriptions } = await newTenants(scene, 3)
  const changes = startChanges(scene.api.base, tenants, scene.random)
  const kinds = Object.entries(faults)
  let struck = 0
  for (let round = 0; round < rounds; round++) {
    // Some are left to themselves. They wait for a minute and more, so that there are few, and those at night.
    scene.real = round % 10 === 9
    for (const [place, [when, moment]] of Object.entries(moments).entries()) {
      const [what, fault] = kinds[(round + place) % kinds.length] ?? ['']
      if (fault === undefined) throw new Error('There are no faults.')
      if (scene.real && place !== Math.floor(round / 10) % 5) continue
      try {
        const since = performance.now()
        const worker = await moment(scene, (one) => fault.strike(one, scene))
        await fault.mend(worker, scene)
        await untilDelivered(scene)
        if (scene.real) expectNoHaste(scene.receiver, since)
      } catch (cause) {
        throw new Error(`Round ${round}: ${when} a worker ${what}.`, { cause })
      }
      struck++
    }
  }

  scene.real = false
  await changes.stop()
  await untilDelivered(scene)
  const told = await expectTold(scene.env.DATABASE_URL, scene.receiver, subscriptions)
  expect(changes.surprises).toEqual([])
  expect(changes.refused).toBeGreaterThan(rounds)
  for (const worker of scene.workers) {
    worker.kill('SIGTERM')
    expect(await worker.exit).toEqual({ code: 0, signal: null })
  }
  await annotate(
    `${rounds} rounds, seed ${seed}: ${struck} faults, ${told.events} events, ${told.deliveries} deliveries, ${told.arrivals} arrivals.`,
  )
})

/** What came again came no sooner than a minute later. */
function expectNoHaste({ arrivals }: Receiver, since: number): void {
  const lately = arrivals.filter(({ at }) => at > since)
  for (const came of Map.groupBy(lately, ({ path, eventId }) => `${path} ${eventId}`).values()) {
    for (const [i, { at }] of came.slice(1).entries()) {
      expect(at - (came[i]?.at ?? 0)).toBeGreaterThan(60_000)
    }
  }
}

test('a worker that stands still for longer than it may hold an endpoint is succeeded, and does no harm when it wakes', async () => {
  await using scene = await openScene('deliveries_still', { workers: 2, seed })
  const { tenants, subscriptions } = await newTenants(scene, 1)
  const changes = startChanges(scene.api.base, tenants, scene.random)
  const { arrival, answer } = await scene.receiver.hold()
  const worker = await holderOf(scene, arrival)
  worker.kill('SIGSTOP')
  answer()
  const isSucceeded = () =>
    scene.receiver.arrivals.some(({ path, at }) => path === arrival.path && at > arrival.at + 1000)
  await vi.waitUntil(isSucceeded, bounds)
  await sleep(1000)
  worker.kill('SIGCONT')
  await sleep(1000)
  await changes.stop()
  scene.real = rounds > 10
  await untilDelivered(scene)
  await expectTold(scene.env.DATABASE_URL, scene.receiver, subscriptions)
})
