import type { Tx } from '#kernel/context.ts'
import { findContact } from '../contacts/public.ts'
import { suppressIn } from './suppress.ts'
import { type SuppressionRow, listHeld } from './suppression-queries.ts'
import { type Subject, type SuppressionDraft, channelsOf, findSubject } from './suppression.ts'

/**
 * Passes what holds against a contact on to its number and its address before they are forgotten: who was not to be
 * contacted is not, should they come back.
 */
export async function keepBeyondErasure(tx: Tx, contactId: string): Promise<void> {
  const held = await listHeld(tx, [contactId])
  const contact = held.length === 0 ? undefined : await findContact(tx, contactId)
  if (contact === undefined) return
  const subjects = [findSubject('phone', contact.phone ?? ''), findSubject('email', contact.email ?? '')]
  const drafts = subjects.flatMap((subject) =>
    subject === undefined ? [] : held.flatMap((row) => passedOn(row, subject)),
  )
  if (drafts.length > 0) await suppressIn(tx, drafts)
}

function passedOn({ kind, channels }: SuppressionRow, subject: Subject): SuppressionDraft[] {
  const draft = { subject, kind, source: 'erasure' } as const
  if (kind !== 'opted_out') return [draft]
  const left = channels.filter((one) => channelsOf(subject.type).includes(one))
  return left.length === 0 ? [] : [{ ...draft, channels: left }]
}
