import type { Tx } from '#kernel/context.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { listContactPoints } from '../contacts/public.ts'
import { unqueueMessages } from './outbox/queue-queries.ts'
import {
  cancelMessages,
  eraseConversations,
  eraseMessagesById,
  listConversationIdsOf,
  listMessageIdsOf,
} from './queries.ts'

/**
 * Removes what was written to and by a contact that is being erased, also what was never linked to it, and cancels what waits
 * to be sent. When and how it was sent stays.
 */
export async function eraseMessages(tx: Tx, contactId: string): Promise<void> {
  const known = await listContactPoints(tx, { contactIds: [contactId], points: [], leaving: contactId })
  const points = known.filter(({ elsewhere }) => !elsewhere).map(({ value }) => value)
  const conversations = await listConversationIdsOf(tx, contactId, points)
  const ids = await listMessageIdsOf(tx, contactId, { points, conversations })
  if (ids.length === 0) return
  const at = tx.clock.now().toISOString()
  await scrubReplies(tx, ids)
  cancelMessages(tx, await unqueueMessages(tx, ids), at)
  eraseMessagesById(tx, ids, at)
  eraseConversations(tx, conversations, at)
}
