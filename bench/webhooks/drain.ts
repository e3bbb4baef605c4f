import { setTimeout as sleep } from 'node:timers/promises'
import { type Backlog, fillBacklog } from './backlog.ts'
import { type Helper, startHelper } from './processes.ts'
import type { RawQuestion } from './raw-sender.ts'
import type { Arrivals, ReceiverQuestion } from './receiver.ts'
import type { WorkerQuestion } from './worker.ts'

const patienceMs = 120_000

/** Fills the queue, lets one worker process empty it. Returns deliveries per second, from the first arrival to the last. */
export async function drain(
  url: string,
  receiver: Helper<ReceiverQuestion, Arrivals>,
  backlog: Backlog,
): Promise<number> {
  await fillBacklog(url, backlog)
  await receiver.ask({ ask: 'forget' })
  const started = performance.now()
  await using worker = await startHelper<WorkerQuestion, unknown>('worker.ts')
  await worker.ask({ databaseUrl: url, appSecret: backlog.appSecret })
  for (;;) {
    const { count, first, last } = await receiver.ask({ ask: 'count' })
    if (count >= backlog.deliveries) {
      const { byEvent } = await receiver.ask({ ask: 'arrivals' })
      if (byEvent.length !== backlog.deliveries) {
        throw new Error(`${byEvent.length} of ${backlog.deliveries} events arrived.`)
      }
      return (count / (last - first)) * 1000
    }
    if (performance.now() - started > patienceMs) throw new Error(`Only ${count} arrived.`)
    await sleep(100)
  }
}

/** The same number of posts of the same bytes without a queue; posts a second. */
export async function postRaw(question: RawQuestion): Promise<number> {
  await using raw = await startHelper<RawQuestion, { ms: number }>('raw-sender.ts')
  const { ms } = await raw.ask(question)
  return (question.count / ms) * 1000
}
