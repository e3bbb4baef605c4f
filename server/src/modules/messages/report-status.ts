import type { Tx } from '#kernel/context.ts'
import { recordConfirmation } from '../compliance/public.ts'
import type { E164 } from '../contacts/public.ts'
import { advances, timesOf } from './advance.ts'
import { eraseAttempts } from './erasure/queries.ts'
import { queueRemovals } from './erasure/removal-queries.ts'
import { MessageDelivered, MessageFailed, MessageSent } from './events.ts'
import { eventOf } from './message-event.ts'
import { type Message, type MessageError, type MessageStatus, messageRecord } from './message.ts'
import type { Failure, StatusReport } from './ports.ts'
import { saveMessage } from './queries.ts'

/**
 * Moves a message forward as its provider reports, and publishes the events: `message.sent` once, whatever is reported
 * first, `message.delivered`, and `message.failed`. Ignores a status that the message has already passed. The caller
 * holds the message's lock.
 */
export async function reportStatus(
  tx: Tx,
  before: Message,
  {
    status,
    providerMessageId,
    failure,
    at,
  }: Pick<StatusReport, 'status' | 'providerMessageId' | 'failure' | 'at'>,
): Promise<void> {
  if (!advances(before.status, status)) return
  const now = tx.clock.now()
  const time = (at ?? now).toISOString()
  const changes: Partial<Message> = {
    status,
    ...timesOf(before, status, time),
    provider_message_id: before.provider_message_id ?? providerMessageId,
    error: failure === null || before.erased_at !== null ? before.error : errorOf(failure),
  }
  const patched = messageRecord.applyPatch(before, changes, now)
  if (patched === undefined) return
  saveMessage(tx, before.id, patched.changed)
  if (before.erased_at !== null) {
    eraseAttempts(tx, [before.id])
    // It was erased while in flight, and its provider has it now.
    if (before.provider_message_id === null) queueRemovals(tx, [patched.after], now.toISOString())
  }
  const data = eventOf(patched.after)
  if (before.sent_at === null && patched.after.sent_at !== null) {
    if (before.kind === 'opt_out_confirmation' && before.to !== null)
      await recordConfirmation(tx, {
        messageId: before.id,
        contactId: before.contact_id,
        phone: before.to as E164,
      })
    await tx.emit(MessageSent, data)
  }
  if (hasArrived(status) && !hasArrived(before.status)) await tx.emit(MessageDelivered, data)
  if (hasFailed(status) && !hasFailed(before.status)) {
    const { code, carrierCode } = failure ?? { code: 'rejected', carrierCode: null }
    await tx.emit(MessageFailed, { ...data, error: { code, carrier_code: carrierCode } })
  }
}

const hasArrived = (status: MessageStatus) => status === 'delivered' || status === 'read'

const hasFailed = (status: MessageStatus) => status === 'failed' || status === 'undelivered'

const retryable = new Set(['recipient_unreachable', 'filtered'])

const errorOf = ({ code, carrierCode, message }: Failure): MessageError => ({
  code,
  carrier_code: carrierCode,
  message,
  retryable: retryable.has(code),
})
