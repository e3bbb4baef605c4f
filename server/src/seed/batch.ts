import type { Clock } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import type { DirectoryTx } from '#kernel/db/handles.ts'

/** A clock that stands where the story is. */
export interface StoryClock extends Clock {
  stand(at: Date): void
}

/** A runtime whose use cases all take part in one transaction, at times that the story sets. */
export interface Batch {
  runtime: Runtime
  clock: StoryClock
  /** For rows of the directory that are to exist only together with the rest. */
  directory: DirectoryTx
}

/**
 * Runs many use cases as one transaction of one workspace: they write what they always write, and a thousand of them
 * cost a few round trips. Each sees what those before it did. Use cases must follow one another; a failed one undoes the whole batch.
 */
export function inOneTransaction<T>(
  runtime: Runtime,
  workspaceId: string,
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  return runtime.database.transaction(workspaceId, (tx) => {
    const clock = storyClock(runtime.clock.now())
    const database: Runtime['database'] = {
      ...runtime.database,
      directory: { ...tx, transaction: (inner) => inner(tx) },
      reads: () => tx,
      lookups: () => tx,
      searches: () => tx,
      transaction(id, inner) {
        if (id !== workspaceId) throw new Error('A batch belongs to one workspace.')
        return inner(tx)
      },
    }
    return work({ runtime: { ...runtime, clock, database }, clock, directory: tx })
  })
}

function storyClock(start: Date): StoryClock {
  let present = start
  return {
    now: () => new Date(present),
    elapsed: () => present.getTime(),
    stand: (at) => void (present = at),
  }
}
