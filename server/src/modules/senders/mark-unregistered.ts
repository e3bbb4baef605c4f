import type { Tx } from '#kernel/context.ts'
import { SenderUpdated } from './events.ts'
import { lockSender, saveSender } from './queries.ts'
import { senders } from './sender.ts'

/**
 * Records that a carrier does not accept messages from this 10DLC number. The gates block its messages until the
 * operator sets another state; see `recordRegistration`.
 */
export async function markUnregistered(tx: Tx, id: string): Promise<void> {
  const sender = await lockSender(tx, id)
  if (sender === undefined || sender.kind !== '10dlc') return
  const registration = { ...sender.registration, number: 'UNREGISTERED' }
  const patched = senders.applyPatch(sender, { registration }, tx.clock.now())
  if (patched === undefined) return
  saveSender(tx, id, patched.changed)
  await tx.emit(SenderUpdated, { id, kind: sender.kind, changed: ['registration'] })
}
