import { setTimeout as sleep } from 'node:timers/promises'
import { cpuOf, cpuOfPostgres, postmasterOf } from '../cpu.ts'
import { fillBacklog } from './backlog.ts'
import { startHelper } from './processes.ts'
import type { WorkerQuestion } from './worker.ts'

/** The CPU usage of processes that have nothing to do, as a fraction of a core. */
export interface Idle {
  seconds: number
  postgres: number
  worker: number
}

/** This long after its start, a worker has finished its setup and polls at its idle pace. */
const settleMs = 15_000

export async function idle(
  url: string,
  { seconds, origin, appSecret }: { seconds: number; origin: string; appSecret: string },
): Promise<Idle> {
  await fillBacklog(url, { endpoints: 100, deliveries: 0, origin, appSecret, body: '', ofWorkspace: 10 })
  const postmaster = await postmasterOf(url)
  await using worker = await startHelper<WorkerQuestion, unknown>('worker.ts')
  await worker.ask({ ask: 'start', databaseUrl: url, appSecret })
  await sleep(settleMs)
  const before = { postgres: cpuOfPostgres(postmaster), worker: cpuOf(worker.pid) }
  await sleep(seconds * 1000)
  const part = (after: number, from: number) => (after - from) / (seconds * 1000)
  return {
    seconds,
    postgres: part(cpuOfPostgres(postmaster), before.postgres),
    worker: part(cpuOf(worker.pid), before.worker),
  }
}
