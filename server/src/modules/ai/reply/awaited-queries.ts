import { type Static, Type } from 'typebox'
import type { WorkspaceTx } from '#kernel/db/handles.ts'
import { values } from '#kernel/records/columns.ts'

const Row = Type.Object({
  conversation_id: Type.String(),
  message_id: Type.String(),
  persona_id: Type.String(),
})

/** A conversation whose last message the AI is to respond to, and the persona that was on when it came. */
export type Awaited = Static<typeof Row>

/** Records that a message awaits a response; a newer one of the conversation takes its place. */
export const awaitReply = (tx: WorkspaceTx, awaited: Awaited, lookAt: Date): void =>
  tx.write`
    insert into awaited_replies ${values({ workspace_id: tx.workspaceId, ...awaited, look_at: lookAt })}
    on conflict (workspace_id, conversation_id) do update set message_id = excluded.message_id,
      persona_id = excluded.persona_id, look_at = excluded.look_at, claimed_until = null`

/** Takes on a conversation until then, unless another job has, or there is nothing to respond to. */
export const claimReply = (tx: WorkspaceTx, conversationId: string, at: Date, until: Date) =>
  tx.maybeOne(Row)`
    update awaited_replies set claimed_until = ${until}, look_at = ${until}
    where workspace_id = ${tx.workspaceId} and conversation_id = ${conversationId}
      and (claimed_until is null or claimed_until <= ${at})
    returning conversation_id, message_id, persona_id`

/** Lets another job take it on. A newer message is not concerned. */
export const releaseReply = (tx: WorkspaceTx, { conversation_id, message_id }: Awaited, lookAt: Date): void =>
  tx.write`
    update awaited_replies set claimed_until = null, look_at = ${lookAt}
    where workspace_id = ${tx.workspaceId} and conversation_id = ${conversation_id} and message_id = ${message_id}`

/** It has been responded to, or does not need it. A newer message is not concerned. */
export const endReply = (tx: WorkspaceTx, { conversation_id, message_id }: Awaited): void =>
  tx.write`
    delete from awaited_replies
    where workspace_id = ${tx.workspaceId} and conversation_id = ${conversation_id} and message_id = ${message_id}`

const IdRow = Type.Object({ id: Type.String() })

/** Conversations whose job seems to be lost, the oldest first; they are looked at again later. */
export const takeLostReplies = async (
  tx: WorkspaceTx,
  { at, again, limit }: { at: Date; again: Date; limit: number },
): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    update awaited_replies set look_at = ${again}
    where workspace_id = ${tx.workspaceId} and conversation_id = any (array(
      select conversation_id from awaited_replies
      where workspace_id = ${tx.workspaceId} and look_at <= ${at}
      order by look_at limit ${limit} for update skip locked))
    returning conversation_id as id`
  return rows.map(({ id }) => id)
}
