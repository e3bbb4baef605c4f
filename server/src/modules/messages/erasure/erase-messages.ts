import type { Tx } from '#kernel/context.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { listContactPoints } from '../../contacts/public.ts'
import { MessageCancelled } from '../events.ts'
import { eventOf } from '../message-event.ts'
import { messageRecord } from '../message.ts'
import { lockMessages, saveMessage } from '../queries.ts'
import { unqueueMessages } from '../queue/queries.ts'
import { eraseContent } from './erase-content.ts'
import { eraseConversations, listConversationIdsOf, listMessageIdsOf } from './queries.ts'

/**
 * Erases what was written to and by a contact that is being erased, including messages that were never linked to it,
 * and cancels messages that wait to be sent. Keeps when and how messages were sent. A job removes their content from
 * the providers a little later.
 */
export async function eraseMessages(tx: Tx, contactId: string): Promise<void> {
  const known = await listContactPoints(tx, { contactIds: [contactId], points: [], leaving: contactId })
  const points = known.filter(({ elsewhere }) => !elsewhere).map(({ value }) => value)
  const conversations = await listConversationIdsOf(tx, contactId, points)
  const ids = await listMessageIdsOf(tx, contactId, { points, conversations })
  const at = tx.clock.now().toISOString()
  eraseConversations(tx, conversations, at)
  if (ids.length === 0) return
  await scrubReplies(tx, ids)
  await cancelWaiting(tx, ids)
  await eraseContent(tx, ids, at)
}

/** The event includes no number or address. */
async function cancelWaiting(tx: Tx, ids: readonly string[]): Promise<void> {
  for (const message of await lockMessages(tx, await unqueueMessages(tx, ids))) {
    const patched = messageRecord.applyPatch(message, { status: 'cancelled' }, tx.clock.now())
    if (patched === undefined) continue
    saveMessage(tx, message.id, patched.changed)
    await tx.emit(MessageCancelled, eventOf({ ...patched.after, from: null, to: null }))
  }
}
