import type { Tx } from '#kernel/context.ts'
import { pauseAllOf } from './change-enrollment.ts'

/** The data of `message.received`. */
interface Received {
  contact_id: string | null
  automatic: boolean
}

/**
 * Pauses the automations of a contact whose message was received before a restore: in the lost database they may have gone on
 * because of it, and what they would send now may have been sent.
 */
export async function pauseForLate(tx: Tx, { contact_id, automatic }: Received): Promise<void> {
  if (tx.isLate && contact_id !== null && !automatic)
    await pauseAllOf(tx, contact_id, 'received_before_restore')
}
