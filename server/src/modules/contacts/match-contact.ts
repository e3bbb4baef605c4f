import type { Tx } from '#kernel/context.ts'
import { newId } from '#kernel/ids.ts'
import { type Contact, blankContact } from './contact.ts'
import { announceContact } from './create-contact.ts'
import { findOrInsertContact, lockIdentities } from './queries.ts'

/**
 * The contact with this phone number, or else with this e-mail address, the oldest of several, locked; where there is
 * none, it is added. Two that ask for the same person at the same time get one contact.
 */
export async function matchContact(
  tx: Tx,
  person: { phone: string } & Pick<Contact, 'email' | 'first_name' | 'last_name' | 'source'>,
): Promise<Contact> {
  const at = tx.clock.now()
  const timestamps = { created_at: at.toISOString(), updated_at: at.toISOString(), erased_at: null }
  const draft: Contact = { id: newId(at), ...blankContact, ...person, ...timestamps }
  lockIdentities(tx, draft)
  const contact = await findOrInsertContact(tx, draft)
  if (contact.id === draft.id) await announceContact(tx, contact)
  return contact
}
