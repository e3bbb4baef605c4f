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
  attempts: Type.Integer(),
  created_at: Type.String(),
})

export type RemovalRow = Static<typeof RemovalRow>

/** Locks due removals. Skips those that another transaction has locked. */
export const lockDueRemovals = (tx: WorkspaceTx, at: Date, limit: number) =>
  tx.many(RemovalRow)`
    select message_id, connection_id, provider_message_id, attempts, created_at from message_removals
    where workspace_id = ${tx.workspaceId} and due_at <= ${at} order by due_at limit ${limit}
    for update skip locked`

/** Counts an attempt for each removal, and sets when its next attempt is due. */
export const postponeRemovals = (
  tx: WorkspaceTx,
  next: readonly { messageId: string; dueAt: Date }[],
): void =>
  tx.write`
    update message_removals set due_at = next.due_at, attempts = attempts + 1
    from unnest(${next.map(({ messageId }) => messageId)}::text[],
      ${next.map(({ dueAt }) => dueAt)}::timestamptz[]) as next (message_id, due_at)
    where workspace_id = ${tx.workspaceId} and message_removals.message_id = next.message_id collate "C"`

export const endRemovals = (tx: WorkspaceTx, messageIds: readonly string[]): void =>
  tx.write`
    delete from message_removals
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[])`
