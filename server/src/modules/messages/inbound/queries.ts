import { Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { firstIdAt } from '#kernel/ids.ts'
import type { Message } from '../message.ts'

const IdRow = Type.Object({ id: Type.String() })

/** Those of these provider message ids whose messages are recorded. */
export const listRecorded = async (
  db: Db,
  connectionId: string,
  providerMessageIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await db.many(IdRow)`
    select provider_message_id as id from messages
    where workspace_id = ${db.workspaceId} and connection_id = ${connectionId}
      and provider_message_id = any (${providerMessageIds}::text[])`
  return new Set(rows.map(({ id }) => id))
}

const CountRow = Type.Object({ count: Type.Integer() })

/** How many responses to HELP were written in a conversation since then. */
export const countHelps = async (db: Db, conversationId: string | null, since: Date): Promise<number> => {
  const { count } = await db.one(CountRow)`
    select count(*)::integer as count from messages
    where workspace_id = ${db.workspaceId} and conversation_id = ${conversationId} and kind = 'help'
      and id >= ${firstIdAt(since.getTime())}`
  return count
}

const ContactRow = Type.Object({ contact_id: Type.String() })

/** The one of these contacts to whom the sender last wrote at the address in `from`. */
export const findLastWrittenTo = async (
  db: Db,
  { sender_id, from }: Pick<Message, 'sender_id' | 'from'>,
  contactIds: readonly string[],
): Promise<string | undefined> => {
  const row = await db.maybeOne(ContactRow)`
    select contact_id from messages
    where workspace_id = ${db.workspaceId} and "to" = ${from} and direction = 'OUTBOUND' and sender_id = ${sender_id}
      and contact_id = any (${contactIds}::text[]) and status not in ('blocked', 'cancelled')
    order by id desc limit 1`
  return row?.contact_id
}
