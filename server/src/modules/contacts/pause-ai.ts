import type { Tx } from '#kernel/context.ts'
import { found } from '#kernel/errors.ts'
import { contacts } from './contact.ts'
import { ContactErased } from './errors.ts'
import { lockPersons } from './lock-persons.ts'
import { lockContact, saveContact } from './queries.ts'

/** Stops the AI from responding to the contact by itself, because a person has taken over. 404 and 409 as for any write. */
export async function pauseAi(tx: Tx, id: string): Promise<void> {
  await lockPersons(tx, { contactIds: [id], points: [] })
  const contact = found(await lockContact(tx, id))
  if (contact.erased_at !== null) throw ContactErased()
  const patched = contacts.applyPatch(contact, { ai_auto_response: 'paused' }, tx.clock.now())
  if (patched !== undefined) saveContact(tx, patched.after, patched.changed)
}
