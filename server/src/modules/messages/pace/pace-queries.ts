import { type Static, Type } from 'typebox'
import type { Clock } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { sharedNow } from '#kernel/db/shared-now.ts'
import { sql } from '#kernel/db/sql.ts'

/** `refilled_at` is never in the future. `ahead`: it is stored so, because a clock was wrong. `now`: PostgreSQL's time. */
const BucketRow = Type.Object({
  id: Type.String(),
  tokens: Type.Number(),
  refilled_at: Type.String(),
  ahead: Type.Boolean(),
  now: Type.String(),
})
export type Bucket = Static<typeof BucketRow>

const columnsAt = (clock: Pick<Clock, 'shared'>) => sql`
  id, tokens, least(refilled_at, ${sharedNow(clock)}) as refilled_at, refilled_at > ${sharedNow(clock)} as ahead,
  ${sharedNow(clock)} as now`

export const findBucket = (db: Db, id: string, clock: Pick<Clock, 'shared'>) =>
  db.maybeOne(BucketRow)`
    select ${columnsAt(clock)} from pace_buckets where workspace_id = ${db.workspaceId} and id = ${id}`

/** Locks the buckets that exist and that no other transaction has locked. */
export const lockBuckets = (tx: Tx, ids: readonly string[]) =>
  tx.many(BucketRow)`
    select ${columnsAt(tx.clock)} from pace_buckets
    where workspace_id = ${tx.workspaceId} and id = any (${ids.toSorted()}::text[]) order by id for update skip locked`

/** Adds missing buckets, in the order of their ids. Returns how many it added. */
export const addBuckets = (tx: Tx, buckets: readonly (readonly [id: string, tokens: number])[]) => {
  const sorted = buckets.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return tx.run`
    insert into pace_buckets (workspace_id, id, tokens, refilled_at)
    select ${tx.workspaceId}, id, tokens, ${sharedNow(tx.clock)}
    from unnest(${sorted.map(([id]) => id)}::text[], ${sorted.map(([, tokens]) => tokens)}::real[])
      with ordinality as added (id, tokens, place) order by place
    on conflict do nothing`
}

export const saveBuckets = (tx: Tx, buckets: readonly (readonly [id: string, tokens: number])[]): void =>
  tx.write`
    update pace_buckets set tokens = saved.tokens, refilled_at = ${sharedNow(tx.clock)}
    from unnest(${buckets.map(([id]) => id)}::text[], ${buckets.map(([, tokens]) => tokens)}::real[]) as saved (id, tokens)
    where workspace_id = ${tx.workspaceId} and pace_buckets.id = saved.id collate "C"`
