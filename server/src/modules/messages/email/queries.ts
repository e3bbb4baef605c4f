import { type Static, Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { maxHoldMs } from '../message.ts'

/** The maximum number of messages of a thread in a header, which would otherwise grow without limit. */
const maxThread = 10

const ThreadRow = Type.Object({
  message_id: Type.String(),
  id: Type.String(),
  direction: Type.Enum(['INBOUND', 'OUTBOUND']),
  from: Type.Union([Type.String(), Type.Null()]),
  provider_message_id: Type.Union([Type.String(), Type.Null()]),
})
export type ThreadRow = Static<typeof ThreadRow>

/** The earlier messages in the thread of each of these messages, oldest first. */
export const listThreads = (db: Db, messageIds: readonly string[]) =>
  db.many(ThreadRow)`
    with recursive thread as (
      select id as message_id, reply_to_message_id as id, 1 as place from messages
      where workspace_id = ${db.workspaceId} and id = any (${messageIds}::text[]) and reply_to_message_id is not null
      union all
      select message_id, earlier.reply_to_message_id, place + 1 from thread
      join messages earlier on earlier.workspace_id = ${db.workspaceId} and earlier.id = thread.id
      where earlier.reply_to_message_id is not null and place < ${maxThread}
    )
    select thread.message_id, messages.id, direction, "from", provider_message_id from thread
    join messages on messages.workspace_id = ${db.workspaceId} and messages.id = thread.id
    order by thread.message_id, place desc`

const CountRow = Type.Object({ count: Type.Integer() })

/** How many emails to an address have bounced since then. */
export const countBounces = async (db: Db, address: string, since: Date): Promise<number> => {
  const { count } = await db.one(CountRow)`
    select count(*)::integer as count from messages
    where workspace_id = ${db.workspaceId} and "to" = ${address} and direction = 'OUTBOUND' and channel = 'EMAIL'
      and status = 'undelivered' and updated_at > ${since} and id >= ${firstIdAt(since.getTime() - maxHoldMs)}`
  return count
}
