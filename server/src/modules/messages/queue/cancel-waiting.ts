import type { Tx } from '#kernel/context.ts'
import { MessageCancelled } from '../events.ts'
import { eventOf } from '../message-event.ts'
import { type Message, messageRecord } from '../message.ts'
import { listMessagesById, lockMessages, saveMessage } from '../queries.ts'
import { listWaitingFor, recipientKey, stopRetries, unqueueMessages } from './queries.ts'

/**
 * Cancels the messages that wait to be sent to an address on these channels and that `isUnwanted` selects. The caller
 * holds the person's locks.
 */
export async function cancelWaiting(
  tx: Tx,
  { to, channels }: { to: string | null; channels: readonly Message['channel'][] },
  isUnwanted: (message: Message) => boolean,
): Promise<void> {
  const recipients = channels.map((channel) => recipientKey(tx.keys, tx.workspaceId, { channel, to }))
  const found = await listMessagesById(tx, await listWaitingFor(tx, recipients))
  const unwanted = found.filter(isUnwanted).map(({ id }) => id)
  await cancelUnsent(tx, unwanted)
}

/**
 * Cancels those of these messages that wait to be sent or approved, and returns their ids. If an attempt to send a
 * message has begun, there is no further one.
 */
export async function cancelUnsent(tx: Tx, messageIds: readonly string[]): Promise<string[]> {
  const unqueued = await unqueueMessages(tx, messageIds)
  const others = messageIds.filter((id) => !unqueued.includes(id))
  if (others.length > 0) stopRetries(tx, others)
  const known = others.length === 0 ? [] : await listMessagesById(tx, others)
  const pending = known.filter(({ status }) => status === 'pending_approval').map(({ id }) => id)
  const cancelled: string[] = []
  for (const waiting of await lockMessages(tx, [...unqueued, ...pending])) {
    if (!unqueued.includes(waiting.id) && waiting.status !== 'pending_approval') continue
    const patched = messageRecord.applyPatch(waiting, { status: 'cancelled' }, tx.clock.now())
    if (patched === undefined) continue
    saveMessage(tx, waiting.id, patched.changed)
    await tx.emit(MessageCancelled, eventOf(patched.after))
    cancelled.push(waiting.id)
  }
  return cancelled
}
