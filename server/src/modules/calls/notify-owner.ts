import type { Tx } from '#kernel/context.ts'
import { findContact } from '../contacts/public.ts'
import { queueMail } from '../mail/public.ts'
import { type MemberRow, findFirstOwner, findMember } from '../workspaces/public.ts'
import type { CallRow } from './call.ts'

/** The owner of the contact of a call; where there is none, the owner of the workspace. */
async function ownerOfCall(
  tx: Tx,
  { contact_id }: Pick<CallRow, 'contact_id'>,
): Promise<MemberRow | undefined> {
  const contact = contact_id === null ? undefined : await findContact(tx, contact_id)
  const owner = contact?.owner_id ? await findMember(tx, contact.owner_id) : undefined
  return owner?.active === true ? owner : findFirstOwner(tx)
}

/** Sends the owner of a call an email about it. `who`: how it names the person. */
export async function notifyOwner(
  tx: Tx,
  call: CallRow,
  mail: (who: string) => { subject: string; text: string },
): Promise<void> {
  const owner = await ownerOfCall(tx, call)
  if (owner === undefined) return
  const contact = call.contact_id === null ? undefined : await findContact(tx, call.contact_id)
  queueMail(tx, tx, { to: owner.email, ...mail(contact?.first_name ?? 'an unknown person') })
}
