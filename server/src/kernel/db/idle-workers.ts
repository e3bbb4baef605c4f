import type { Queries } from './handles.ts'
import { isFree, trySessionLock, unlockSession } from './lock.ts'
import { type Sql, raw, sql } from './sql.ts'

/** How the idle workers of a queue are woken. */
export interface IdleWorkers {
  /**
   * Wakes idle workers when the transaction commits. An expression, for statements that write the queue. Notifications make
   * commits wait for each other, so there are none while a worker polls; and as the lock stays free until then, a worker
   * that becomes idle finds what this transaction has written.
   */
  readonly wake: Sql
  /** From now on, what is written wakes this connection. For the next look to miss nothing it must be sent after this. */
  becomeIdle(connection: Queries): Promise<unknown>
  becomeBusy(connection: Queries): Promise<unknown>
}

/** `queue`: the name of its table. */
export function idleWorkers(queue: string): IdleWorkers {
  const lock = `idle workers of ${queue}`
  return {
    wake: sql`case when not ${isFree(lock)} then pg_notify(${queue}, '')::text end`,
    becomeIdle: (connection) =>
      Promise.all([connection.run(raw(`listen ${queue}`)), connection.run(trySessionLock(lock))]),
    becomeBusy: (connection) =>
      Promise.all([connection.run(unlockSession), connection.run(raw(`unlisten ${queue}`))]),
  }
}
