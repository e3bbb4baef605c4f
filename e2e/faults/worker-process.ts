import { firstIdAt } from '@gable/server/src/kernel/ids.ts'
import { type DatabaseLine, openLine } from './database-line.ts'
import { type GableProcess, spawnGable } from './gable-process.ts'
import type { Names } from './time.ts'

/** Allows receivers on this machine. */
export const towardsLoopback = { WEBHOOK_ALLOW_HTTP: 'loopback', WEBHOOK_ALLOW_PRIVATE: 'loopback' }

export interface WorkerProcess extends GableProcess {
  line: DatabaseLine
  /** The range that contains the worker's name. */
  names: Names
}

/** Starts a process with the role worker and waits until it works. Call it sequentially, because of the names. */
export async function startWorker(env: { DATABASE_URL: string; APP_SECRET: string }): Promise<WorkerProcess> {
  await using opened = new AsyncDisposableStack()
  const line = opened.use(await openLine(env.DATABASE_URL))
  // A worker's name is an id that is created at its start, and ids begin with the time.
  const from = firstIdAt(Date.now())
  const child = opened.use(
    spawnGable({ ...env, ...towardsLoopback, DATABASE_URL: line.url, ROLE: 'worker', LOG_LEVEL: 'warn' }),
  )
  await child.until(() => child.stdout().includes('\n'))
  const to = firstIdAt(Date.now() + 1)
  const all = opened.move()
  return {
    ...child,
    line,
    names: { from, to },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}
