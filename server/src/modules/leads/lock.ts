import type { Tx } from '#kernel/context.ts'
import type { Reach } from '#kernel/db/handles.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { reaches } from '#kernel/reach.ts'
import { type Contact, lockContact } from '../contacts/public.ts'
import { LeadErased } from './errors.ts'
import type { ConsentedLead } from './lead.ts'
import { seesSender } from './present-lead.ts'
import { findLead, lockLead } from './queries.ts'

interface Locked {
  lead: ConsentedLead
  /** Undefined for a lead without a contact. */
  contact: Contact | undefined
}

/**
 * Locks a lead and its contact. Lock order: the contact first, as in all code that locks both. Throws 404 for a lead out of
 * reach; its contact may be out of reach.
 */
export async function lockLeadAndContact(tx: Tx, id: string): Promise<Locked> {
  const { contact_id } = orNotFound(await findLead(tx, id))
  const contact = contact_id === null ? undefined : await lockContact(tx.unrestricted(), contact_id)
  return { lead: orNotFound(await lockLead(tx, id)), contact }
}

/** Like `lockLeadAndContact`, for a lead that may only be offered to the caller. Throws 409 `lead_erased` for an erased lead. */
export async function lockOffered(tx: Tx, id: string): Promise<Locked> {
  const locked = await lockLeadAndContact(tx, id)
  if (locked.lead.erased_at !== null) throw LeadErased()
  return locked
}

/** Like `lockOffered`, for changes that require the assignee to be in reach: members to whom the lead is only offered get 404. */
export async function lockWritable(tx: Tx, id: string): Promise<Locked> {
  const locked = await lockOffered(tx, id)
  if (!seesSender(tx.reach, locked.lead)) throw NotFound()
  return locked
}

/**
 * The contact if its owner changes with the lead's assignee, otherwise undefined. A caller with limited reach cannot use an old
 * lead to take a contact from a member out of their reach.
 */
export const transferable = (contact: Contact | undefined, reach: Reach): Contact | undefined =>
  contact === undefined || contact.owner_id === null || reaches(reach, contact.owner_id) ? contact : undefined
