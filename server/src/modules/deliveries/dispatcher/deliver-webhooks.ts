import type { Registry } from 'prom-client'
import { listenTo } from '#kernel/background/listening.ts'
import { steady } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import type { Exchange } from '#kernel/egress/egress.ts'
import { newId } from '#kernel/ids.ts'
import { claimLock, deliveryWorkers, releaseEndpointLeases, settleLazily } from './queue-queries.ts'
import { type OutgoingDelivery, deliveryQueue } from './queue.ts'
import { deliveryHeaders } from './signature.ts'
import { createWorker } from './worker.ts'

/** A database role that can read webhooks and settle their deliveries in all workspaces, and nothing else. */
const senderRole = 'gable_sender'

/** The log entry of an attempt that could not be signed. */
const unsigned: Exchange = {
  status: null,
  ok: false,
  answer: null,
  failure: 'the signing secret cannot be decrypted with any secret in APP_SECRETS',
  duration_ms: 0,
}

/** Delivers webhooks until disposed. Disposal waits for attempts in flight and releases all other claims. */
export async function deliverWebhooks(runtime: Runtime, registry?: Registry): Promise<AsyncDisposable> {
  const { database, clock, mayBegin, log, egress } = runtime
  const measure = registry === undefined ? undefined : (await import('./metrics.ts')).attemptMetrics(registry)
  const listening = listenTo(runtime, deliveryWorkers, { role: senderRole, before: [claimLock] })
  const settlements = database.across(senderRole, [settleLazily])
  const name = newId(clock.now())
  const queue = deliveryQueue(runtime, { listening, settlements }, name)
  const now = steady(clock)
  const alarms = new Set<() => void>()
  const orWarn = async <T>(work: Promise<T>, message: string): Promise<T | undefined> => {
    try {
      return await work
    } catch (error) {
      log.warn({ err: error }, message)
      return undefined
    }
  }

  const worker = createWorker<OutgoingDelivery, Exchange>({
    now,
    async claim(request, done) {
      // While this machine's clock is wrong, nothing is claimed.
      const claim = mayBegin() ? queue.claim(request) : Promise.resolve(undefined)
      done(await orWarn(claim, 'deliveries not claimed'))
    },
    send(delivery, done) {
      if (delivery.endpoint === undefined) return void setImmediate(done, unsigned)
      const headers = deliveryHeaders(delivery, delivery.endpoint.secrets, clock.now())
      egress.post({ url: delivery.endpoint.url, headers, body: delivery.body }, (exchange) => {
        measure?.(exchange)
        done(exchange)
      })
    },
    async settle(settled, done) {
      const written = queue.settle(settled).then(() => true)
      done((await orWarn(written, 'deliveries not settled')) ?? false)
    },
    wake(afterMs, call) {
      const cancel = clock.after(afterMs, () => {
        alarms.delete(cancel)
        call()
      })
      alarms.add(cancel)
    },
  })
  listening.onWake(worker.scanNow)
  worker.start()

  return {
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => worker.stop(resolve))
      for (const cancel of alarms) cancel()
      await orWarn(
        releaseEndpointLeases(settlements, name),
        'endpoint leases not released: other workers wait until they expire',
      )
      await Promise.all([listening[Symbol.asyncDispose](), settlements[Symbol.asyncDispose]()])
    },
  }
}
