import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { findContact, nameInText } from '../contacts/public.ts'
import { queueMail } from '../mail/public.ts'
import { countUnverified } from '../messages/public.ts'
import { findResponsible } from '../workspaces/public.ts'
import { pauseAllOf } from './change-enrollment.ts'

const dayMs = 24 * 3_600_000

/** The data of `message.received`. */
interface Received {
  id: string
  contact_id: string | null
  automatic: boolean
  sender_verified: boolean | null
}

/**
 * Pauses a contact's automations after an email in the contact's name whose sender is not verified, and asks the owner whether the contact
 * wrote it. Anyone can send many such emails, so the owner gets at most one question a day about a contact, unless automations have been
 * resumed since.
 */
export async function pauseForUnverified(
  tx: Tx,
  { id, contact_id, automatic, sender_verified }: Received,
): Promise<void> {
  if (tx.isLate || contact_id === null || automatic || sender_verified !== false) return
  const paused = await pauseAllOf(tx, contact_id, 'sender_not_verified')
  if (paused === 0 && (await countUnverified(tx, contact_id, later(tx.clock.now(), -dayMs))) > 1) return
  const contact = await findContact(tx, contact_id)
  const owner = await findResponsible(tx, contact?.owner_id ?? null)
  if (owner === undefined) return
  const who = nameInText(contact?.first_name ?? null) ?? 'a contact'
  queueMail(tx, tx, {
    to: owner.email,
    subject: `Is this email from ${who}?`,
    text: [
      `An email (message ${id}) came in the conversation with ${who}, but its sender is not verified: anyone may have written it.`,
      `Please read it. The AI does not respond to it, and the automations of ${who} are paused until you resume them.`,
    ].join('\n\n'),
  })
}
