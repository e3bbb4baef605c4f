import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { values } from '#kernel/records/columns.ts'

const DigestRow = Type.Object({
  search_id: Type.String(),
  local_date: Type.String(),
  message_id: Type.String(),
  listing_count: Type.Integer(),
  until: Type.String(),
  created_at: Type.String(),
})
export type Digest = Static<typeof DigestRow>

/** Inserts a digest unless the search already has one for that day. Returns whether it did. */
export const insertDigest = async (tx: WorkspaceTx, digest: Digest): Promise<boolean> =>
  (await tx.run`
    insert into saved_search_digests ${values({ workspace_id: tx.workspaceId, ...digest })}
    on conflict (workspace_id, search_id, local_date) do nothing`) === 1

const FoundRow = Type.Object({ found: Type.Boolean() })

/** Whether a search has a digest for that day, or one whose message is still pending. */
export const hasDigest = async (db: Db, searchId: string, day: string): Promise<boolean> => {
  const { found } = await db.one(FoundRow)`
    select exists (
      select from saved_search_digests
      where workspace_id = ${db.workspaceId} and search_id = ${searchId}
        and (local_date = ${day} or (sent_at is null and failed_at is null))) as found`
  return found
}

export const findDigestOf = (db: Db, messageId: string) =>
  db.maybeOne(DigestRow)`
    select search_id, local_date::text, message_id, listing_count, until, created_at from saved_search_digests
    where workspace_id = ${db.workspaceId} and message_id = ${messageId}`

/** Marks a digest's message as sent. Returns false if it already was. */
export const markSent = async (tx: WorkspaceTx, messageId: string, at: Date): Promise<boolean> =>
  (await tx.run`
    update saved_search_digests set sent_at = ${at}
    where workspace_id = ${tx.workspaceId} and message_id = ${messageId} and sent_at is null`) === 1

/** Marks a digest's message as failed. */
export const markFailed = (tx: WorkspaceTx, messageId: string, at: Date): void =>
  tx.write`
    update saved_search_digests set failed_at = ${at}
    where workspace_id = ${tx.workspaceId} and message_id = ${messageId} and sent_at is null and failed_at is null`

const WaitingRow = Type.Object({ message_id: Type.String() })

/** The pending message of the latest digest. */
export const findWaiting = async (db: Db, searchId: string): Promise<string | undefined> => {
  const row = await db.maybeOne(WaitingRow)`
    select message_id from saved_search_digests
    where workspace_id = ${db.workspaceId} and search_id = ${searchId} and sent_at is null and failed_at is null
    order by local_date desc limit 1`
  return row?.message_id
}
