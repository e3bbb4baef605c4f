import { Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { assignments } from '#kernel/records/columns.ts'
import { nullable } from '#kernel/schemas.ts'
import { StoredMedia } from '../message-media.ts'
import { erasedMessage } from '../message.ts'

const IdRow = Type.Object({ id: Type.String() })

/**
 * Locks the conversations of a contact, and those with its numbers and addresses that are linked to no contact. Returns
 * their ids.
 */
export const listConversationIdsOf = async (
  tx: Db,
  contactId: string,
  points: readonly string[],
): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select id from conversations
    where workspace_id = ${tx.workspaceId}
      and (contact_id = ${contactId} or (contact_id is null and address = any (${points}::text[])))
    order by id for update`
  return rows.map(({ id }) => id)
}

/**
 * Ids of the messages of a contact, and of those whose author named it. Includes messages that are linked to no contact but are in these conversations, or
 * went to its numbers and addresses outside of any conversation.
 */
export const listMessageIdsOf = async (
  tx: Db,
  contactId: string,
  { points, conversations }: { points: readonly string[]; conversations: readonly string[] },
): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select id from messages
    where workspace_id = ${tx.workspaceId} and (contact_id = ${contactId} or addressed_contact_id = ${contactId} or (contact_id is null and (
      conversation_id = any (${conversations}::text[])
      or (conversation_id is null and "to" = any (${points}::text[])))))`
  return rows.map(({ id }) => id)
}

const ErasedRow = Type.Object({
  id: Type.String(),
  connection_id: nullable(Type.String()),
  provider_message_id: nullable(Type.String()),
  media: Type.Array(StoredMedia),
})

/**
 * Erases the content of these messages, and what providers said about them. Returns the messages that had not been
 * erased before.
 */
export function eraseMessagesById(tx: WorkspaceTx, ids: readonly string[], at: string) {
  eraseAttempts(tx, ids)
  return tx.many(ErasedRow)`
    with before as (
      select id, media from messages
      where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) and erased_at is null for update)
    update messages m set ${assignments({ ...erasedMessage, media: '[]', erased_at: at, updated_at: at })}
    from before where m.workspace_id = ${tx.workspaceId} and m.id = before.id
    returning m.id, m.connection_id, m.provider_message_id, before.media`
}

/** Erases what providers said about attempts, which may name the person. */
export const eraseAttempts = (tx: WorkspaceTx, messageIds: readonly string[]): void =>
  tx.write`
    update message_attempts set detail = null
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[]) and detail is not null`

export const eraseConversations = (tx: WorkspaceTx, ids: readonly string[], at: string): void =>
  tx.write`
    update conversations set address = null, suggestion = null, updated_at = ${at}
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[])`

/**
 * Removes AI suggestions older than this time from conversations that no other transaction has locked. Returns how many
 * it removed.
 */
export const eraseOldSuggestions = async (tx: WorkspaceTx, before: Date, limit: number): Promise<number> => {
  const rows = await tx.many(IdRow)`
    update conversations set suggestion = null
    where workspace_id = ${tx.workspaceId} and id in (
      select id from conversations
      where workspace_id = ${tx.workspaceId} and suggestion is not null
        and suggestion ->> 'created_at' < ${before.toISOString()}
      limit ${limit} for update skip locked)
    returning id`
  return rows.length
}

/** Ids of messages that have not been erased, from `from` (inclusive) to `before` (exclusive), oldest first. */
export const listUnerased = async (
  tx: Db,
  from: string,
  before: string,
  limit: number,
): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select id from messages
    where workspace_id = ${tx.workspaceId} and id >= ${from} and id < ${before} and erased_at is null
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Locks the messages that no other transaction has locked, and returns their ids. */
export const lockFreeMessages = async (tx: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select id from messages where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[])
    order by id for update skip locked`
  return rows.map(({ id }) => id)
}

const RetentionRow = Type.Object({ erased_before: Type.String() })

/** All messages before this id have been erased. */
export const findErasedBefore = async (db: Db): Promise<string> => {
  const row = await db.maybeOne(RetentionRow)`
    select erased_before from message_retention where workspace_id = ${db.workspaceId}`
  return row?.erased_before ?? ''
}

export const saveErasedBefore = (tx: WorkspaceTx, id: string): void =>
  tx.write`
    insert into message_retention (workspace_id, erased_before) values (${tx.workspaceId}, ${id})
    on conflict (workspace_id) do update set erased_before = excluded.erased_before`
