import type { Tx } from '#kernel/context.ts'
import { findContact, nameInText } from '../contacts/public.ts'
import { queueMail } from '../mail/public.ts'
import { findResponsible } from '../workspaces/public.ts'
import type { CallRow } from './call.ts'

/**
 * Emails the owner of the call's contact, or else of the workspace. `mail` gets `who`, the name to use for the person. Not about what happened
 * before a restore.
 */
export async function notifyOwner(
  tx: Tx,
  call: CallRow,
  mail: (who: string) => { subject: string; text: string },
): Promise<void> {
  if (tx.isLate) return
  const contact = call.contact_id === null ? undefined : await findContact(tx, call.contact_id)
  const owner = await findResponsible(tx, contact?.owner_id ?? null)
  if (owner === undefined) return
  queueMail(tx, tx, {
    to: owner.email,
    ...mail(nameInText(contact?.first_name ?? null) ?? 'an unknown person'),
  })
}
