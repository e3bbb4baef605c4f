import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { EmbeddedPostgresError } from './error.ts'

const patienceMs = 60_000
const sqliteBusy = 5

/**
 * Runs `work` while no other process sets up, starts, or stops the PostgreSQL of a data directory. The lock must end
 * with its process, even if the process is killed. Node has no such file locks, but SQLite does: the operating system
 * releases the lock of an exclusive transaction. The file stays empty.
 */
export async function withLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  using lock = openLock(file)
  const givesUpAt = performance.now() + patienceMs
  while (!taken(lock, file)) {
    if (performance.now() > givesUpAt) {
      throw new EmbeddedPostgresError(
        `Another Gable has been starting or stopping PostgreSQL for ${patienceMs / 1000} s (lock ${file}).`,
      )
    }
    await delay(20)
  }
  return await work()
}

function openLock(file: string): DatabaseSync {
  try {
    return new DatabaseSync(file, { timeout: 0 })
  } catch (cause) {
    throw new EmbeddedPostgresError(
      `The lock ${file} cannot be opened: run Gable as the user who ran it before.`,
      { cause },
    )
  }
}

function taken(lock: DatabaseSync, file: string): boolean {
  try {
    lock.exec('begin exclusive')
    return true
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause && cause.errcode === sqliteBusy) return false
    throw new EmbeddedPostgresError(`The lock ${file} cannot be taken: ${String(cause)}.`, { cause })
  }
}
