import type { Clock } from '#kernel/clock.ts'
import type { House } from '#kernel/context.ts'
import type { Queries } from '#kernel/db/rows.ts'
import type { Writer } from '#kernel/db/transaction.ts'

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
 * cost a few round trips. What one puts off until its commit is sent before the next one's question, so that each
 * sees what those before it did. Use cases must follow one another; a failed one undoes the whole batch.
 */
export function inOneTransaction<T>(
  house: House,
  workspaceId: string,
  work: (batch: Batch) => Promise<T>,
): Promise<T> {
  return house.database.transaction(workspaceId, (outer) => {
    const writer = sendingFirst(outer)
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

/** Sends what waits for the commit before it asks anything. */
function sendingFirst(outer: Writer): Writer {
  async function after<T>(ask: () => Promise<T>): Promise<T> {
    await outer.flush()
    return ask()
  }
  return {
    ...outer,
    many: (row, statement) => after(() => outer.many(row, statement)),
    maybeOne: (row, statement) => after(() => outer.maybeOne(row, statement)),
    one: (row, statement) => after(() => outer.one(row, statement)),
    run: (statement) => after(() => outer.run(statement)),
  }
}

function storyClock(start: Date): StoryClock {
  let present = start
  return { now: () => new Date(present), stand: (at) => void (present = at) }
}
