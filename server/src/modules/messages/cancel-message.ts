import type { Ctx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { MessageNotCancellable } from './errors.ts'
import { MessageCancelled } from './events.ts'
import { eventOf } from './message-event.ts'
import { type Message, messageRecord } from './message.ts'
import { unqueueMessages } from './outbox/queue-queries.ts'
import { findMessage, lockMessage, saveMessage } from './queries.ts'

/** Cancels a message that waits. 409 `message_not_cancellable` once an attempt to send it has begun, and afterwards. */
export const cancelMessage = (ctx: Ctx, id: string): Promise<Message> =>
  ctx.transaction(async (tx) => {
    const { status } = found(await findMessage(tx, id))
    const [taken] = await unqueueMessages(tx, [id])
    if (taken === undefined) throw MessageNotCancellable(status)
    const before = found(await lockMessage(tx, id))
    const patched = found(messageRecord.applyPatch(before, { status: 'cancelled' }, tx.clock.now()))
    saveMessage(tx, id, patched.changed)
    await tx.emit(MessageCancelled, eventOf(patched.after))
    return patched.after
  })
