import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { startChanges } from './changes.ts'
import { faults, holderOf, moments } from './delivery-faults.ts'
import type { Receiver } from './receiver.ts'
import { bounds, newTenants, openScene, untilDelivered } from './scene.ts'
import { expectDelivered } from './subscriptions.ts'

/** `GABLE_FAULT_ROUNDS` sets their number, `GABLE_FAULT_SEED` repeats the moments of an earlier run. */
const rounds = Number(process.env['GABLE_FAULT_ROUNDS'] ?? 3)
const seed = Number(process.env['GABLE_FAULT_SEED'] ?? randomInt(2 ** 31))
vi.setConfig({ testTimeout: 120_000 + rounds * 60_000 })

test(`exactly the committed events are delivered despite worker faults at any moment (seed ${seed})`, async ({
  annotate,
}) => {
  await using scene = await openScene('deliveries_kill', { workers: 2, seed })
  const { tenants, subscriptions } = await newTenants(scene, 3)
  const changes = startChanges(scene.api.base, tenants, scene.random)
  const kinds = Object.entries(faults)
  let struck = 0
  for (let round = 0; round < rounds; round++) {
    // Some rounds run in real time. They take more than a minute, so there are few, and only at night.
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
  const received = await expectDelivered(scene.env.DATABASE_URL, scene.receiver, subscriptions)
  expect(changes.surprises).toEqual([])
  expect(changes.rejected).toBeGreaterThan(rounds)
  for (const worker of scene.workers) {
    worker.kill('SIGTERM')
    expect(await worker.exit).toEqual({ code: 0, signal: null })
  }
  await annotate(
    `${rounds} rounds, seed ${seed}: ${struck} faults, ${received.events} events, ${received.deliveries} deliveries, ${received.arrivals} arrivals.`,
  )
})

/** Retries came at least a minute later. */
function expectNoHaste({ arrivals }: Receiver, since: number): void {
  const lately = arrivals.filter(({ at }) => at > since)
  for (const came of Map.groupBy(lately, ({ path, eventId }) => `${path} ${eventId}`).values()) {
    for (const [i, { at }] of came.slice(1).entries()) {
      expect(at - (came[i]?.at ?? 0)).toBeGreaterThan(60_000)
    }
  }
}

test('a worker that is suspended past its lease is replaced and does no harm when it resumes', async () => {
  await using scene = await openScene('deliveries_still', { workers: 2, seed })
  const { tenants, subscriptions } = await newTenants(scene, 1)
  const changes = startChanges(scene.api.base, tenants, scene.random)
  const { arrival, respond } = await scene.receiver.hold()
  const worker = await holderOf(scene, arrival)
  worker.kill('SIGSTOP')
  respond()
  const isSucceeded = () =>
    scene.receiver.arrivals.some(({ path, at }) => path === arrival.path && at > arrival.at + 1000)
  await vi.waitUntil(isSucceeded, bounds)
  await sleep(1000)
  worker.kill('SIGCONT')
  await sleep(1000)
  await changes.stop()
  scene.real = rounds > 10
  await untilDelivered(scene)
  await expectDelivered(scene.env.DATABASE_URL, scene.receiver, subscriptions)
})
