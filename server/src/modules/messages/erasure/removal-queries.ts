import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'

/** A message that has been erased here, but that its provider may still have. */
export interface Removable {
  id: string
  connection_id: string | null
  provider_message_id: string | null
}

/** Queues the removal of erased messages from their providers. Skips messages that no provider has. */
export function queueRemovals(tx: WorkspaceTx, erased: readonly Removable[], at: string): void {
  const known = erased.filter((one) => one.connection_id !== null && one.provider_message_id !== null)
  if (known.length === 0) return
  tx.write`
    insert into message_removals
      (workspace_id, message_id, connection_id, provider_message_id, due_at, attempts, created_at)
    select ${tx.workspaceId}, one.id, one.connection, one.provided, ${at}::timestamptz, 0, ${at}::timestamptz
    from unnest(${known.map(({ id }) => id)}::text[], ${known.map((one) => one.connection_id)}::text[],
      ${known.map((one) => one.provider_message_id)}::text[]) as one (id, connection, provided)
    on conflict (workspace_id, message_id) do nothing`
}

const CountRow = Type.Object({ count: Type.Integer() })

export const countRemovals = async (db: Db): Promise<number> =>
  (
    await db.one(CountRow)`
    select count(*)::integer as count from message_removals where workspace_id = ${db.workspaceId}`
  ).count

const DueRow = Type.Object({ is_due: Type.Boolean() })

export const hasDueRemovals = async (db: Db, at: Date): Promise<boolean> =>
  (
    await db.one(DueRow)`
    select exists (
      select from message_removals where workspace_id = ${db.workspaceId} and due_at <= ${at}) as is_due`
  ).is_due

const RemovalRow = Type.Object({
  message_id: Type.String(),
  connection_id: Type.String(),
  provider_message_id: Type.String(),
  created_at: Type.String(),
})

export type RemovalRow = Static<typeof RemovalRow>

/**
 * Claims due removals, and skips those that another transaction has locked. Counts the attempt before it is made, and
 * sets when the next one is due: after the pause for so many attempts, or the last one.
 */
export const claimRemovals = (
  tx: WorkspaceTx,
  at: Date,
  { pausesMs, limit }: { pausesMs: readonly number[]; limit: number },
) =>
  tx.many(RemovalRow)`
    update message_removals set attempts = attempts + 1,
      due_at = ${at}::timestamptz + (${pausesMs}::integer[])[least(attempts + 1, ${pausesMs.length})] * interval '1 ms'
    where workspace_id = ${tx.workspaceId} and message_id = any (array(
      select message_id from message_removals
      where workspace_id = ${tx.workspaceId} and due_at <= ${at} order by due_at limit ${limit}
      for update skip locked))
    returning message_id, connection_id, provider_message_id, created_at`

export const endRemovals = (tx: WorkspaceTx, messageIds: readonly string[]): void =>
  tx.write`
    delete from message_removals
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[])`
