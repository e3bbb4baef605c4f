import { type Static, Type } from 'typebox'
import { type Lease, isUnclaimed, leaseEnd, leaseFrom } from '#kernel/background/lease.ts'
import type { Clock } from '#kernel/clock.ts'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { values } from '#kernel/records/columns.ts'

const Row = Type.Object({
  conversation_id: Type.String(),
  message_id: Type.String(),
  persona_id: Type.String(),
})

/** A conversation that awaits an AI response, and the persona that was on when its last message came. */
export type Awaited = Static<typeof Row>

/**
 * Records that a message awaits a response. Replaces an earlier message in the same conversation and releases its
 * claim.
 */
export const awaitReply = (tx: WorkspaceTx, awaited: Awaited, lookAt: Date): void =>
  tx.write`
    insert into awaited_replies ${values({ workspace_id: tx.workspaceId, ...awaited, look_at: lookAt })}
    on conflict (workspace_id, conversation_id) do update set message_id = excluded.message_id,
      persona_id = excluded.persona_id, look_at = excluded.look_at, claimed_until = null`

/** Claims a conversation. Returns undefined if another job has it, or if it awaits no response. */
export const claimReply = (tx: WorkspaceTx, conversationId: string, lease: Lease) =>
  tx.maybeOne(Row)`
    update awaited_replies set claimed_until = ${leaseEnd(lease)}, look_at = ${leaseEnd(lease)}
    where workspace_id = ${tx.workspaceId} and conversation_id = ${conversationId}
      and ${isUnclaimed(lease)}
    returning conversation_id, message_id, persona_id`

/** Releases the claim. The conversation is looked at again when the lease would have ended. Does nothing if a newer message has come. */
export const releaseReply = (tx: WorkspaceTx, { conversation_id, message_id }: Awaited, lease: Lease): void =>
  tx.write`
    update awaited_replies set claimed_until = null, look_at = ${leaseEnd(lease)}
    where workspace_id = ${tx.workspaceId} and conversation_id = ${conversation_id} and message_id = ${message_id}`

/** Removes the record once no response is due. Does nothing if a newer message has come. */
export const endReply = (tx: WorkspaceTx, { conversation_id, message_id }: Awaited): void =>
  tx.write`
    delete from awaited_replies
    where workspace_id = ${tx.workspaceId} and conversation_id = ${conversation_id} and message_id = ${message_id}`

const IdRow = Type.Object({ id: Type.String() })

/** Conversations whose job may be lost, longest overdue first. */
export const listDueReplies = async (db: Db, at: Date, limit: number, clock: Clock): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select conversation_id as id from awaited_replies
    where workspace_id = ${db.workspaceId} 
      and (look_at <= ${at} or (claimed_until is not null and ${isUnclaimed(leaseFrom(clock))}))
    order by look_at limit ${limit}`
  return rows.map(({ id }) => id)
}

/** The conversations whose message came before a time. */
export const listAwaitedBefore = (db: Db, before: Date) =>
  db.many(Row)`
    select conversation_id, message_id, persona_id from awaited_replies
    where workspace_id = ${db.workspaceId} and message_id < ${firstIdAt(before.getTime())} order by conversation_id`
