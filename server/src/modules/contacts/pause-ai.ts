import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { Point } from './contact-points.ts'
import { type Contact, type PauseReason, contacts } from './contact.ts'
import { ContactErased } from './errors.ts'
import { lockPersons } from './lock-persons.ts'
import { listContactPoints } from './point-queries.ts'
import { listContactsById, lockContact, saveContact } from './queries.ts'
import { changeContact } from './update-contact.ts'

/** The scope of a pause: these contacts, and all contacts with one of the points. */
interface Persons {
  contactIds: readonly string[]
  points: readonly Point[]
}

/**
 * Stops the AI from responding to a contact automatically, because a person has taken over. Throws 404 if the contact
 * is unknown and 409 if it is erased.
 */
export async function pauseAi(tx: Tx, id: string, reason: PauseReason): Promise<void> {
  const persons = await lockPerson(tx, id)
  requirePresent(await lockContact(tx, id))
  await pauseAll(tx, persons, reason)
}

/** Pauses the AI for these contacts and for all contacts with one of the points, except erased ones. */
export async function pauseAiOf(tx: Tx, persons: Persons, reason: PauseReason): Promise<void> {
  await lockPersons(tx, persons)
  await pauseAll(tx, persons, reason)
}

/** Pauses or resumes the AI for a contact, and for every contact with the same phone number or email address. */
export const setAi = (ctx: Ctx, id: string, status: Contact['ai_auto_response']): Promise<Contact> =>
  ctx.transaction(async (tx) => {
    const persons = await lockPerson(tx, id)
    const before = orNotFound(await lockContact(tx, id))
    requirePresent(before)
    const change = {
      ai_auto_response: status,
      ai_paused_reason: status === 'paused' ? ('manual' as const) : null,
    }
    const isSame = before.ai_auto_response === status
    const after = isSame ? before : await changeContact(tx.unrestricted(), before, change)
    await changeAll(tx, persons, change)
    return after
  })

function requirePresent(contact: Contact | undefined): void {
  if (orNotFound(contact).erased_at !== null) throw ContactErased()
}

/** Locks a contact and everyone who shares a phone number or email address with it. */
async function lockPerson(tx: Tx, id: string): Promise<Persons> {
  const known = await listContactPoints(tx.unrestricted(), { contactIds: [id], points: [] })
  const persons = { contactIds: [id], points: known.filter(({ former_since }) => former_since === null) }
  await lockPersons(tx, persons)
  return persons
}

/** A pause applies to the person, so it ignores who owns the contacts. */
async function listPersons(limited: Tx, { contactIds, points }: Persons): Promise<Contact[]> {
  const tx = limited.unrestricted()
  const known = await listContactPoints(tx, { contactIds: [], points })
  const ids = [...new Set([...contactIds, ...known.map(({ contact_id }) => contact_id)])]
  return (await listContactsById(tx, ids)).filter(({ erased_at }) => erased_at === null)
}

const pauseAll = (tx: Tx, persons: Persons, reason: PauseReason): Promise<void> =>
  changeAll(tx, persons, { ai_auto_response: 'paused', ai_paused_reason: reason })

/**
 * Publishes nothing: the event comes from the cause, which is a note, a message, or the change to the one named
 * contact.
 */
async function changeAll(
  tx: Tx,
  persons: Persons,
  change: Pick<Contact, 'ai_auto_response' | 'ai_paused_reason'>,
): Promise<void> {
  for (const contact of await listPersons(tx, persons)) {
    if (contact.ai_auto_response === change.ai_auto_response) continue
    const patched = contacts.applyPatch(contact, change, tx.clock.now())
    if (patched !== undefined) saveContact(tx.unrestricted(), patched.after, patched.changed)
  }
}
