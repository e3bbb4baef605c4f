import type { Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { type Contact, lockContact } from '../contacts/public.ts'
import { LeadErased } from './errors.ts'
import type { ConsentedLead } from './lead.ts'
import { findLead, lockLead } from './queries.ts'

interface Locked {
  lead: ConsentedLead
  /** Undefined for a lead without one. */
  contact: Contact | undefined
}

/**
 * A lead and its contact, locked; the contact first, as everybody does who locks both, or two would wait for each other.
 * 404 where there is no such lead.
 */
export async function lockLeadAndContact(tx: Tx, id: string): Promise<Locked> {
  const { contact_id } = found(await findLead(tx, id))
  const contact = contact_id === null ? undefined : await lockContact(tx, contact_id)
  return { lead: found(await lockLead(tx, id)), contact }
}

/** The same for whoever will change the lead: 409 `lead_erased` where nothing may be written any more. */
export async function lockWritable(tx: Tx, id: string): Promise<Locked> {
  const locked = await lockLeadAndContact(tx, id)
  if (locked.lead.erased_at !== null) throw LeadErased()
  return locked
}
