import type { Ctx } from '#kernel/context.ts'
import { type ContactPoint, type Point, listContactPoints } from '../contacts/public.ts'
import { isHeldBy, suppressionReaches } from './reach.ts'
import { findKey, nameOf } from './suppression-key.ts'
import { type SuppressionRow, listHeld } from './suppression-queries.ts'
import type { Subject } from './suppression.ts'

/** What holds against subjects, by their values. A subject against which nothing holds is not in it. */
export type Held = ReadonlyMap<string, readonly SuppressionRow[]>

/**
 * What holds against these very subjects, however many there are: one statement, and a second one when a process first
 * reads a workspace. Throws 503 `suppressions_unreadable` where it cannot be known.
 */
export async function findSuppressions(
  ctx: Pick<Ctx, 'db' | 'keys'>,
  subjects: readonly Subject[],
): Promise<Held> {
  if (subjects.length === 0) return new Map()
  const key = await findKey(ctx)
  return key === undefined ? new Map() : listByValue(ctx.db, key, subjects)
}

export async function listByValue(db: Ctx['db'], key: Buffer, subjects: readonly Subject[]): Promise<Held> {
  const values = new Map(subjects.map((subject) => [nameOf(key, subject), subject.value]))
  const rows = await listHeld(db, [...values.keys()])
  return Map.groupBy(rows, (row) => values.get(row.subject) ?? '')
}

/** Someone who may be contacted: the points used, and the contact that they were linked to. */
export interface Recipient {
  points: readonly Point[]
  contactId: string | null
}

/** What holds against a recipient, and the contacts behind it: the one it was linked to, then those that have its points. */
export interface RecipientPerson {
  rows: readonly SuppressionRow[]
  contactIds: readonly string[]
}

/**
 * What holds against each of these recipients: against their points, their contact, every contact that has one of their
 * points, and, as far as it is about the person, against the other points of those contacts. Asked once for all of them.
 * Throws 503 `suppressions_unreadable` where it cannot be known.
 */
export async function findAgainst(
  ctx: Pick<Ctx, 'db' | 'keys'>,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => readonly SuppressionRow[]> {
  if (recipients.length === 0 || (await findKey(ctx)) === undefined) return () => []
  const persons = await findPersons(ctx, recipients)
  return (recipient) => persons(recipient).rows
}

/** The same with the contacts behind each recipient, also in a workspace that suppresses no one. */
export async function findPersons(
  ctx: Pick<Ctx, 'db' | 'keys'>,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => RecipientPerson> {
  const key = await findKey(ctx)
  const used = recipients.flatMap(({ points }) => points)
  const contactIds = recipients.flatMap(({ contactId }) => (contactId === null ? [] : [contactId]))
  const known = await listContactPoints(ctx.db, { contactIds: [...new Set(contactIds)], points: used })
  const persons = new Set([...contactIds, ...known.map(({ contact_id }) => contact_id)])
  const subjects = [...used, ...known, ...[...persons].map((value) => ({ type: 'contact' as const, value }))]
  const held: Held = key === undefined ? new Map() : await listByValue(ctx.db, key, subjects)
  const pointsOf = Map.groupBy(known, ({ contact_id }) => contact_id)
  // Those whose own a point is before those whose leads brought it.
  const present = known
    .filter(isHeldBy)
    .toSorted((a, b) => Number(a.source === 'lead') - Number(b.source === 'lead'))
  const holders = Map.groupBy(present, ({ value }) => value)
  return ({ points, contactId }) => {
    const contacts = new Set(contactId === null ? [] : [contactId])
    for (const { value } of points) {
      for (const { contact_id } of holders.get(value) ?? []) contacts.add(contact_id)
    }
    const direct = points.flatMap(({ value }) => held.get(value) ?? [])
    const indirect = [...contacts].flatMap((id) => againstContact(id, pointsOf.get(id) ?? [], held))
    return { rows: [...direct, ...indirect], contactIds: [...contacts] }
  }
}

/** What holds against a contact itself and, as far as it is about the person, against its points. */
export const againstContact = (id: string, points: readonly ContactPoint[], held: Held): SuppressionRow[] => [
  ...(held.get(id) ?? []),
  ...points.flatMap((point) => (held.get(point.value) ?? []).filter((row) => suppressionReaches(row, point))),
]
