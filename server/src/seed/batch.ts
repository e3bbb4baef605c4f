import { type Clock, systemClock } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import type { DirectoryTx } from '#kernel/db/handles.ts'
import { planByIndex } from '#kernel/db/plans.ts'

/** A clock that the story sets. */
export interface StoryClock extends Clock {
  stand(at: Date): void
}

/** A runtime whose use cases all share one transaction, at times that the story sets. */
export interface Batch {
  runtime: Runtime
  clock: StoryClock
  /** For directory rows that must be committed together with everything else. */
  directory: DirectoryTx
}

/**
 * Runs many use cases in one transaction of one workspace: they write what they always write, but a thousand of them
 * take only a few round trips. Each use case sees the effects of the earlier ones. They must run sequentially; if one
 * fails, the whole batch is rolled back.
 */
export function inOneTransaction<T>(
  runtime: Runtime,
  workspaceId: string,
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  return runtime.database.transaction(workspaceId, (tx) => {
    // Planning these short statements costs more than running them.
    planByIndex(tx)
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
    ...systemClock,
    now: () => new Date(present),
    elapsed: () => present.getTime(),
    stand: (at) => void (present = at),
  }
}
