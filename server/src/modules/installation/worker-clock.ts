import { randomUUID } from 'node:crypto'
import type { Runtime } from '#kernel/context.ts'
import { removeWorkerClock, saveWorkerClock, workerClockMs } from './queries.ts'

/**
 * Records how far the clock of this worker is ahead of PostgreSQL's, until disposed: the reason why a message waits is asked of
 * another process, often on another machine.
 */
export async function recordClock({
  database: { directory },
  clock,
  clockWatch,
}: Pick<Runtime, 'database' | 'clock' | 'clockWatch'>): Promise<AsyncDisposable> {
  const id = randomUUID()
  let isOver = false
  let cancel = () => {}
  // The database may be away for a while.
  const save = () =>
    saveWorkerClock(directory, clock, { id, aheadMs: clockWatch.aheadMs() }).catch(() => undefined)
  let running: Promise<unknown> = Promise.resolve()
  const next = () => {
    running = save().finally(() => {
      if (!isOver) cancel = clock.after(workerClockMs, next)
    })
  }
  await removeWorkerClock(directory, clock, id).catch(() => undefined)
  next()
  await running
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      cancel()
      await running
      await removeWorkerClock(directory, clock, id).catch(() => undefined)
    },
  }
}
