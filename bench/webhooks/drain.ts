import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf, cpuOfPostgres, postmasterOf } from '../cpu.ts'
import { type Backlog, fillBacklog } from './backlog.ts'
import { type Helper, startHelper } from './processes.ts'
import type { RawQuestion } from './raw-sender.ts'
import type { Arrivals, ReceiverQuestion } from './receiver.ts'
import type { WorkerQuestion } from './worker.ts'

const patienceMs = 120_000

type Receiver = Helper<ReceiverQuestion, Arrivals>

/** How fast deliveries or posts were sent, and the cost of each. */
export interface Pace {
  perSecond: number
  /** CPU microseconds of each process for one delivery or post. */
  cpu: { postgres: number; sender: number; receiver: number }
}

/**
 * Fills the queue and lets one worker process empty it. The rate is measured from the first arrival to the last; the
 * CPU time, from the start of the loaded worker to the last arrival.
 */
export async function drain(url: string, receiver: Receiver, backlog: Backlog): Promise<Pace> {
  await fillBacklog(url, backlog)
  await receiver.ask({ ask: 'forget' })
  const postmaster = await postmasterOf(url)
  await using worker = await startHelper<WorkerQuestion, unknown>('worker.ts')
  await worker.ask({ ask: 'loaded' })
  const used = () => ({
    postgres: cpuOfPostgres(postmaster),
    sender: cpuOf(worker.pid),
    receiver: cpuOf(receiver.pid),
  })
  const before = used()
  const started = performance.now()
  await worker.ask({ ask: 'start', databaseUrl: url, appSecret: backlog.appSecret })
  for (;;) {
    const { count, first, last } = await receiver.ask({ ask: 'count' })
    if (count >= backlog.deliveries) {
      const cpu = perEach(before, used(), count)
      const { byEvent } = await receiver.ask({ ask: 'arrivals' })
      if (byEvent.length !== backlog.deliveries) {
        throw new Error(`${byEvent.length} of ${backlog.deliveries} events arrived.`)
      }
      return { perSecond: (count / (last - first)) * 1000, cpu }
    }
    if (performance.now() - started > patienceMs) throw new Error(`Only ${count} arrived.`)
    await sleep(50)
  }
}

/** Sends the same number of posts with the same bytes, without a queue. */
export async function postRaw(receiver: Receiver, question: RawQuestion): Promise<Pace> {
  await using raw = await startHelper<RawQuestion, { ms: number }>('raw-sender.ts')
  await raw.ask({ ...question, count: 1, connections: 1 })
  const used = () => ({ postgres: 0, sender: cpuOf(raw.pid), receiver: cpuOf(receiver.pid) })
  const before = used()
  const { ms } = await raw.ask(question)
  return { perSecond: (question.count / ms) * 1000, cpu: perEach(before, used(), question.count) }
}

const perEach = (before: Pace['cpu'], after: Pace['cpu'], count: number): Pace['cpu'] => ({
  postgres: ((after.postgres - before.postgres) / count) * 1000,
  sender: ((after.sender - before.sender) / count) * 1000,
  receiver: ((after.receiver - before.receiver) / count) * 1000,
})
