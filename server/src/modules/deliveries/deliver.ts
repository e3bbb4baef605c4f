import type { Registry } from 'prom-client'
import { steady } from '#kernel/clock.ts'
import type { House } from '#kernel/context.ts'
import type { Exchange } from '#kernel/egress/egress.ts'
import { newId } from '#kernel/ids.ts'
import { attemptMetrics } from './metrics.ts'
import { claimLock, releaseHolds, settleLazily } from './queue-queries.ts'
import { type Ready, deliveryQueue } from './queue.ts'
import { deliveryHeaders } from './signature.ts'
import { createWorker } from './worker.ts'

/** A role that may see and settle deliveries in all workspaces, and nothing else there. */
const senderRole = 'gable_sender'

/** Delivers webhooks until disposed; then what is in flight ends first, and what waits is given back. */
export async function deliverWebhooks(house: House, registry?: Registry): Promise<AsyncDisposable> {
  const { database, clock, log, egress } = house
  const claims = database.across(senderRole, [claimLock])
  const settlements = database.across(senderRole, [settleLazily])
  const name = newId(clock.now())
  const queue = deliveryQueue(house, { claims, settlements }, name)
  const now = steady(clock)
  const measure = registry === undefined ? undefined : attemptMetrics(registry)
  const timers = new Set<NodeJS.Timeout>()

  const worker = createWorker<Ready, Exchange>({
    now,
    claim(order, done) {
      queue.claim(order).then(done, (error: unknown) => {
        log.warn({ err: error }, 'deliveries not claimed')
        done(undefined)
      })
    },
    send({ id, event, eventId, body, endpoint }, done) {
      const headers = deliveryHeaders({ id, event, eventId, body }, endpoint.secrets, clock.now())
      egress.post({ url: endpoint.url, headers, body }, (exchange) => {
        measure?.(exchange)
        done(exchange)
      })
    },
    settle(settled, done) {
      queue.settle(settled).then(
        () => done(true),
        (error: unknown) => {
          log.warn({ err: error }, 'deliveries not settled')
          done(false)
        },
      )
    },
    wake(afterMs, call) {
      const timer = setTimeout(() => {
        timers.delete(timer)
        call()
      }, afterMs)
      timers.add(timer)
    },
  })
  worker.start()

  return {
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => worker.stop(resolve))
      for (const timer of timers) clearTimeout(timer)
      await releaseHolds(settlements, name).catch((error: unknown) =>
        log.warn({ err: error }, 'endpoints not let go; others wait until the hold ends'),
      )
      await Promise.all([claims[Symbol.asyncDispose](), settlements[Symbol.asyncDispose]()])
    },
  }
}
