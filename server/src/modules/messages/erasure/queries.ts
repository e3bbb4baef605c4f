import { Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { assignments } from '#kernel/records/columns.ts'
import { nullable } from '#kernel/schemas.ts'
import { erasedMessage } from '../message.ts'

const IdRow = Type.Object({ id: Type.String() })

/** The conversations of a contact, and those with its numbers and addresses that were linked to no contact. */
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

/** The messages of a contact, and those to its numbers and addresses, or in these conversations, that were linked to none. */
export const listMessageIdsOf = async (
  tx: Db,
  contactId: string,
  { points, conversations }: { points: readonly string[]; conversations: readonly string[] },
): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select id from messages
    where workspace_id = ${tx.workspaceId} and (contact_id = ${contactId} or (contact_id is null and (
      conversation_id = any (${conversations}::text[])
      or (conversation_id is null and "to" = any (${points}::text[])))))`
  return rows.map(({ id }) => id)
}

const ErasedRow = Type.Object({
  id: Type.String(),
  connection_id: nullable(Type.String()),
  provider_message_id: nullable(Type.String()),
})

/** Erases what these messages said, and what providers said of them, unless that has been done. Returns those that it erased. */
export function eraseMessagesById(tx: WorkspaceTx, ids: readonly string[], at: string) {
  eraseAttempts(tx, ids)
  return tx.many(ErasedRow)`
    update messages set ${assignments({ ...erasedMessage, erased_at: at, updated_at: at })}
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) and erased_at is null
    returning id, connection_id, provider_message_id`
}

/** Providers may name the person in what they say. */
export const eraseAttempts = (tx: WorkspaceTx, messageIds: readonly string[]): void =>
  tx.write`
    update message_attempts set detail = null
    where workspace_id = ${tx.workspaceId} and message_id = any (${messageIds}::text[]) and detail is not null`

export const eraseConversations = (tx: WorkspaceTx, ids: readonly string[], at: string): void =>
  tx.write`
    update conversations set address = null, suggestion = null, updated_at = ${at}
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[])`

/** Takes away what the AI suggested before this time, of conversations that no one else holds. Returns how many there were. */
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

/** Messages that have not been erased, with ids from `from` on and before `before`, oldest first. */
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

/** Locks those of these messages that no one else holds, and returns their ids. */
export const lockFree = async (tx: Db, ids: readonly string[]): Promise<string[]> => {
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
