import { Type } from 'typebox'
import type { Queries } from '../db/handles.ts'
import { isFree, sessionLockTaken, unlockSession } from '../db/lock.ts'
import { type Sql, raw, sql } from '../db/sql.ts'

/** How a queue wakes its idle workers. */
export interface IdleWorkers {
  /** The channel on which they listen. An empty payload wakes them. */
  readonly channel: string
  /**
   * An SQL expression for statements that write the queue: wakes idle workers when the transaction commits.
   * Notifications make commits wait for each other, so it sends none while no worker holds the lock of an idle one.
   * It then keeps that lock in shared mode until the transaction ends, so that no worker can take it in the meantime.
   */
  readonly wake: Sql
  /**
   * From now on, writes to the queue wake this connection. To miss nothing, the worker must send its next look at the
   * queue after this. Returns false while a writer that saw no idle worker has yet to commit: the worker must not rest.
   */
  becomeIdle(connection: Queries): Promise<boolean>
  becomeBusy(connection: Queries): Promise<unknown>
}

const TakenRow = Type.Object({ taken: Type.Boolean() })

/** `queue`: the name of its table. */
export function idleWorkers(queue: string): IdleWorkers {
  const lock = `idle workers of ${queue}`
  return {
    channel: queue,
    wake: sql`case when not ${isFree(lock)} then pg_notify(${queue}, '')::text end`,
    async becomeIdle(connection) {
      const [, { taken }] = await Promise.all([
        connection.run(raw(`listen ${queue}`)),
        connection.one(TakenRow)`select ${sessionLockTaken(lock)} as taken`,
      ])
      return taken
    },
    becomeBusy: (connection) =>
      Promise.all([connection.run(unlockSession), connection.run(raw(`unlisten ${queue}`))]),
  }
}
