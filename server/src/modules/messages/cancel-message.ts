import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { MessageNotCancellable } from './errors.ts'
import { MessageCancelled } from './events.ts'
import { eventOf } from './message-event.ts'
import { type Message, messageRecord } from './message.ts'
import { findMessage, lockMessage, saveMessage } from './queries.ts'
import { lockContactsOfForShare } from './queue/lock-contacts.ts'
import { unqueueMessages } from './queue/queries.ts'

/**
 * Cancels a message that waits to be sent or approved. Throws 409 `message_not_cancellable` for any other message,
 * including one for which an attempt to send it has begun.
 */
export const cancelMessage = (ctx: Ctx, id: string): Promise<Message> =>
  ctx.transaction(async (tx) => {
    const { status } = orNotFound(await findMessage(tx, id))
    await lockContactsOfForShare(tx, [id])
    if (status === 'pending_approval') return dropPending(tx, id)
    const [taken] = await unqueueMessages(tx, [id])
    if (taken === undefined) throw MessageNotCancellable(status)
    return cancel(tx, orNotFound(await lockMessage(tx, id)))
  })

/**
 * Cancels a message that waits for approval. Throws 409 `message_not_cancellable` for any other. The caller holds the
 * message's contact.
 */
export async function dropPending(tx: Tx, id: string): Promise<Message> {
  const message = orNotFound(await lockMessage(tx, id))
  if (message.status !== 'pending_approval') throw MessageNotCancellable(message.status)
  return cancel(tx, message)
}

async function cancel(tx: Tx, message: Message): Promise<Message> {
  const patched = orNotFound(messageRecord.applyPatch(message, { status: 'cancelled' }, tx.clock.now()))
  saveMessage(tx, message.id, patched.changed)
  await tx.emit(MessageCancelled, eventOf(patched.after))
  return patched.after
}
