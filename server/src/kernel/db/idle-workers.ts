import type { Queries } from './handles.ts'
import { isFree, trySessionLock, unlockSession } from './lock.ts'
import { type Sql, raw, sql } from './sql.ts'

/** How a queue wakes its idle workers. */
export interface IdleWorkers {
  /**
   * An SQL expression for statements that write the queue: wakes idle workers when the transaction commits.
   * Notifications make commits wait for each other, so it sends none while no worker holds the lock of an idle one.
   * It then keeps that lock in shared mode until the transaction ends, so that no worker can take it in the meantime.
   */
  readonly wake: Sql
  /**
   * From now on, writes to the queue wake this connection. To miss nothing, the worker must send its next look at the
   * queue after this.
   */
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
