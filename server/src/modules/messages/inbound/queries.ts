import { Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { firstIdAt } from '#kernel/ids.ts'

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
