import type { Clock } from '#kernel/clock.ts'
import type { House } from '#kernel/context.ts'
import type { Queries } from '#kernel/db/rows.ts'

/** A clock that stands where the story is. */
export interface StoryClock extends Clock {
  stand(at: Date): void
}

/** A house whose use cases all take part in one transaction, at moments of the teller's choosing. */
export interface Batch {
  house: House
  clock: StoryClock
  /** For rows of the directory that are to exist only together with the rest. */
  directory: Queries
}

/**
 * Runs many use cases as one transaction of one workspace: they write what they always write, and a thousand of them
 * cost a few round trips. Each sees what those before it did. Use cases must follow one another; a failed one undoes the whole batch.
 */
export function inOneTransaction<T>(
  house: House,
  workspaceId: string,
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  return house.database.transaction(workspaceId, (writer) => {
    const clock = storyClock(house.clock.now())
    const database: House['database'] = {
      ...house.database,
      directory: writer,
      reads: () => writer,
      searches: () => writer,
      transaction(id, inner) {
        if (id !== workspaceId) throw new Error('A batch belongs to one workspace.')
        return inner(writer)
      },
    }
    return work({ house: { ...house, clock, database }, clock, directory: writer })
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
