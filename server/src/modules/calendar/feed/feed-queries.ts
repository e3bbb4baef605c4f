import { Type } from 'typebox'
import type { Db, DirectoryDb, DirectoryTx } from '#kernel/db/handles.ts'
import { appointments } from '../appointment.ts'

const { Row, columns } = appointments

const FeedRow = Type.Object({
  workspace_id: Type.String(),
  member_id: Type.String(),
  created_at: Type.String(),
})

export const findFeedByHash = (directory: DirectoryDb, hash: Buffer) =>
  directory.maybeOne(FeedRow)`
    select workspace_id, member_id, created_at from calendar_feeds where hash = ${hash}`

export const findFeed = (directory: DirectoryDb, workspaceId: string, memberId: string) =>
  directory.maybeOne(FeedRow)`
    select workspace_id, member_id, created_at from calendar_feeds
    where workspace_id = ${workspaceId} and member_id = ${memberId}`

/** Deletes a member's feed address. Returns whether there was one. */
export const deleteFeed = async (tx: DirectoryTx, workspaceId: string, memberId: string): Promise<boolean> =>
  (await tx.run`
    delete from calendar_feeds where workspace_id = ${workspaceId} and member_id = ${memberId}`) > 0

export const insertFeed = (
  tx: DirectoryTx,
  { hash, workspaceId, memberId, at }: { hash: Buffer; workspaceId: string; memberId: string; at: Date },
): void =>
  tx.write`
    insert into calendar_feeds (hash, workspace_id, member_id, created_at)
    values (${hash}, ${workspaceId}, ${memberId}, ${at})`

/** Appointments that a member hosts or booked and that start in the range, in chronological order. */
export const listForFeed = (db: Db, memberId: string, from: Date, to: Date, limit: number) =>
  db.many(Row)`
    select ${columns} from appointments
    where workspace_id = ${db.workspaceId} and starts_at >= ${from} and starts_at < ${to} and status <> 'cancelled'
      and (host_id = ${memberId} or creator_id = ${memberId})
    order by starts_at, id limit ${limit}`
