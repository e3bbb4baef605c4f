import { Type } from 'typebox'
import { leaseEnd, leaseFrom } from '#kernel/background/lease.ts'
import type { Tx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { nullable } from '#kernel/schemas.ts'
import { StoredMedia } from '../message-media.ts'
import { inReach } from '../queries.ts'

const IdRow = Type.Object({ id: Type.String() })

/** Messages with files that are due to be fetched, longest overdue first. */
export const listMediaDue = async (db: Db, at: Date, limit: number): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from messages where workspace_id = ${db.workspaceId} and media_due_at <= ${at}
    order by media_due_at limit ${limit}`
  return rows.map(({ id }) => id)
}

const DueRow = Type.Object({
  connection_id: nullable(Type.String()),
  media: Type.Array(StoredMedia),
  created_at: Type.String(),
})

/** Longer than reading the files of a message takes. After a kill, they are due again then. */
const claimedMs = 600_000

/** Claims a message whose files are due, for ten minutes. Undefined if they are not, or no longer. */
export const claimMedia = (tx: Tx, id: string) =>
  tx.maybeOne(DueRow)`
    update messages set media_due_at = ${leaseEnd(leaseFrom(tx.clock, claimedMs))}
    where workspace_id = ${tx.workspaceId} and id = ${id} and media_due_at <= ${tx.clock.now()} and erased_at is null
    returning connection_id, media, created_at`

const FileRow = Type.Object({ id: Type.String() })

/** The subset of these files that are of messages in reach. */
export const listReachableMedia = async (db: Db, fileIds: readonly string[]): Promise<string[]> => {
  const patterns = fileIds.map((id) => JSON.stringify([{ id }]))
  const rows = await db.many(FileRow)`
    select one ->> 'id' as id from messages, jsonb_array_elements(media) as one
    where workspace_id = ${db.workspaceId} and media <> '[]' and media @> any (${patterns}::jsonb[])
      and one ->> 'id' = any (${fileIds}::text[]) ${inReach(db)}`
  return rows.map(({ id }) => id)
}
