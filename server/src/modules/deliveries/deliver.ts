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

/** What is logged of an attempt that could not be signed. */
const unopened: Exchange = {
  status: null,
  ok: false,
  answer: null,
  failure: 'the signing secret cannot be opened: no secret in APP_SECRETS sealed it',
  duration_ms: 0,
}

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
  const unlessFailed = async <T>(work: Promise<T>, message: string): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      log.warn({ err: error }, message)
      return undefined
    }
  }

  const worker = createWorker<Ready, Exchange>({
    now,
    async claim(order, tell) {
      tell(await unlessFailed(queue.claim(order), 'deliveries not claimed'))
    },
    send(delivery, tell) {
      if (delivery.endpoint === undefined) return void setImmediate(tell, unopened)
      const headers = deliveryHeaders(delivery, delivery.endpoint.secrets, clock.now())
      egress.post({ url: delivery.endpoint.url, headers, body: delivery.body }, (exchange) => {
        measure?.(exchange)
        tell(exchange)
      })
    },
    async settle(settled, tell) {
      const written = queue.settle(settled).then(() => true)
      tell((await unlessFailed(written, 'deliveries not settled')) ?? false)
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
      await unlessFailed(
        releaseHolds(settlements, name),
        'endpoints not let go: others wait until the hold ends',
      )
      await Promise.all([claims[Symbol.asyncDispose](), settlements[Symbol.asyncDispose]()])
    },
  }
}
