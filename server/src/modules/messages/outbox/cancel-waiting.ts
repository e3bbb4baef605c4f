import type { Tx } from '#kernel/context.ts'
import { MessageCancelled } from '../events.ts'
import { eventOf } from '../message-event.ts'
import { type Message, messageRecord } from '../message.ts'
import { listMessagesById, lockMessages, saveMessage } from '../queries.ts'
import { listWaitingFor, recipientKey, unqueueMessages } from './queue-queries.ts'

/** Cancels the messages of this kind that wait to be sent to an address. The caller holds the locks of the person. */
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

/** Cancels those of these messages that wait to be sent, and returns them. Of any other an attempt has begun. */
export async function cancelUnsent(tx: Tx, messageIds: readonly string[]): Promise<string[]> {
  const waitingIds = await unqueueMessages(tx, messageIds)
  for (const waiting of await lockMessages(tx, waitingIds)) {
    const patched = messageRecord.applyPatch(waiting, { status: 'cancelled' }, tx.clock.now())
    if (patched === undefined) continue
    saveMessage(tx, waiting.id, patched.changed)
    await tx.emit(MessageCancelled, eventOf(patched.after))
  }
  return waitingIds
}
