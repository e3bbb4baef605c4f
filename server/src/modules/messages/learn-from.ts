import type { Tx } from '#kernel/context.ts'
import { suppressIn } from '../compliance/public.ts'
import { markUnregistered } from '../senders/public.ts'
import type { Message } from './message.ts'

/**
 * Records what a rejection reveals beyond its message: the sender must not send, the person has opted out with the
 * carrier, or the email address does not exist.
 */
export async function learnFrom(tx: Tx, message: Message, code: string): Promise<void> {
  if (code === 'sender_not_registered' && message.sender_id !== null)
    await markUnregistered(tx, message.sender_id)
  if (code === 'recipient_opted_out' && message.to !== null && message.channel !== 'EMAIL')
    await suppressIn(tx, [
      { subject: { type: 'phone', value: message.to as never }, kind: 'opted_out', source: 'carrier' },
    ])
  if (code === 'recipient_invalid' && message.to !== null && message.channel === 'EMAIL')
    await suppressIn(tx, [
      { subject: { type: 'email', value: message.to as never }, kind: 'hard_bounce', source: 'carrier' },
    ])
}
