import type { Runtime } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { batches } from '#modules/backfills/public.ts'
import { createEngine } from '#modules/enrollments/engine/engine.ts'
import { cpuOfPostgres, postmasterOf } from '../cpu.ts'
import { percentile } from '../statistics.ts'

/** The cost of a poll that finds nothing to do, in milliseconds. */
export interface Idle {
  waiting: number
  ticks: number
  p50: number
  p99: number
  /** PostgreSQL's CPU time per poll. */
  postgres: number
  /** Of two statements that read nothing, on the same connection. */
  bareP50: number
}

export async function measureIdle(
  runtime: Runtime,
  url: string,
  waiting: number,
  ticks: number,
): Promise<Idle> {
  await using queue = runtime.database.across('gable_engine')
  const engine = createEngine(runtime, queue, newId(runtime.clock.now()), batches)
  const timed = async (work: () => Promise<unknown>): Promise<number[]> => {
    const times: number[] = []
    for (let n = 0; n < ticks; n++) {
      const from = performance.now()
      await work()
      times.push(performance.now() - from)
    }
    return times.toSorted((a, b) => a - b)
  }
  const bare = async () => Promise.all([queue.run`select 1`, queue.run`select 1`])
  await timed(() => engine.tick())
  const bareTimes = await timed(bare)
  const postmaster = await postmasterOf(url)
  const before = cpuOfPostgres(postmaster)
  const times = await timed(() => engine.tick())
  const postgres = (cpuOfPostgres(postmaster) - before) / ticks
  return {
    waiting,
    ticks,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    postgres,
    bareP50: percentile(bareTimes, 0.5),
  }
}
