import type { Tx } from '#kernel/context.ts'
import { pointsOf } from './contact-points.ts'
import { type Contact, contacts } from './contact.ts'
import { announceContact } from './create-contact.ts'
import type { E164 } from './phone.ts'
import { insertPoints } from './point-queries.ts'
import { insertContact, lockHolder, lockPoints } from './queries.ts'
import { changeContact } from './update-contact.ts'

/** The sender of a lead. */
export interface Sender extends Pick<Contact, 'address' | 'email' | 'first_name' | 'last_name' | 'source'> {
  phone: E164
  phone_extension: string | null
}

/**
 * Links the sender of a lead to a contact and returns it locked: the contact with the phone number, or else with the
 * email address, or else a new one. Fills in a missing phone, a missing email that no other contact has, and a missing
 * address. Concurrent requests for the same person get the same contact. `creator`: a key that sees only what it created.
 * Its leads never belong to the contacts that it sees: what became of those would reveal whether the person was known.
 */
export async function matchContact(tx: Tx, sender: Sender, creator?: string): Promise<Contact> {
  const { phone, phone_extension, email, address } = sender
  const numbered = { phone, phone_e164: phone, phone_extension }
  const points = pointsOf({ phone, email })
  const at = tx.clock.now()
  lockPoints(tx, points)
  const known = await lockHolder(tx, points, creator)
  if (known === undefined) {
    const contact = {
      ...contacts.create({}, at),
      ...sender,
      ...numbered,
      address_source: sender.address && ('lead' as const),
    }
    insertContact(tx, contact)
    insertPoints(tx, contact.id, points, 'contact', contact.created_at)
    await announceContact(tx, contact)
    return contact
  }
  const { email_holder, ...contact } = known
  const missing = {
    // If another contact had this number, the lead would have been linked to that contact.
    ...(contact.phone === null ? numbered : {}),
    ...(contact.address === null && address !== null ? { address, address_source: 'lead' as const } : {}),
    ...(contact.email === null && (email_holder ?? contact.id) === contact.id ? { email } : {}),
  }
  const filled = await changeContact(tx, contact, missing)
  insertPoints(tx, contact.id, points, 'lead', at.toISOString())
  return filled
}
