import type { Ctx } from '#kernel/context.ts'
import { type ContactPoint, type Point, formsOf, listContactPoints } from '../contacts/public.ts'
import { isHeldBy, suppressionReaches } from './reach.ts'
import { findKey, nameOf } from './suppression-key.ts'
import { type SuppressionRow, listHeld } from './suppression-queries.ts'
import type { Subject } from './suppression.ts'

/** Active suppressions by the value of their subject. Omits subjects without any. */
export type Held = ReadonlyMap<string, readonly SuppressionRow[]>

/**
 * Returns the active suppressions of exactly these subjects. However many there are, this takes one statement, plus one for the key
 * when a process first reads a workspace. Throws 503 `suppressions_unreadable` if the key cannot be opened.
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
  const names = subjects.flatMap((subject) =>
    formsOfSubject(subject).map((form) => ({ name: nameOf(key, form), value: subject.value })),
  )
  const held = Map.groupBy(
    await listHeld(db, [...new Set(names.map(({ name }) => name))]),
    ({ subject }) => subject,
  )
  const rows = new Map<string, SuppressionRow[]>()
  for (const [value, same] of Map.groupBy(names, (one) => one.value)) {
    const found = [...new Set(same.map(({ name }) => name))].flatMap((name) => held.get(name) ?? [])
    if (found.length > 0) rows.set(value, found)
  }
  return rows
}

/** A suppression holds for the person's line, so it may have any form of the number. Its hash does not say which. */
const formsOfSubject = (subject: Subject): Subject[] =>
  subject.type === 'phone' ? formsOf(subject.value).map((value) => ({ type: 'phone', value })) : [subject]

/** A potential recipient: the points to use, and the contact that they are linked to. */
export interface Recipient {
  points: readonly Point[]
  contactId: string | null
}

/** The persons behind recipients. */
export interface Persons {
  /** The contacts behind a recipient: the one it is linked to, then those that have its points. */
  contactIdsOf(recipient: Recipient): readonly string[]
  contactIds: readonly string[]
  /**
   * Loads, in one batch, the suppressions that apply to each recipient: those of its points, of its contact, and of every contact
   * that has one of its points, and, if they are about the person, those of the other points of these contacts.
   */
  findHeld(): Promise<(recipient: Recipient) => readonly SuppressionRow[]>
}

/** Finds the suppressions that apply to these recipients. Throws 503 `suppressions_unreadable` if the key cannot be opened. */
export async function findAgainst(
  ctx: Pick<Ctx, 'db' | 'keys'>,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => readonly SuppressionRow[]> {
  if (recipients.length === 0 || (await findKey(ctx)) === undefined) return () => []
  return (await findPersons(ctx, recipients)).findHeld()
}

/** Finds the persons behind these recipients. Throws 503 `suppressions_unreadable` if the key cannot be opened. */
export async function findPersons(
  ctx: Pick<Ctx, 'db' | 'keys'>,
  recipients: readonly Recipient[],
): Promise<Persons> {
  const used = recipients.flatMap(({ points }) => points)
  const linked = recipients.flatMap(({ contactId }) => (contactId === null ? [] : [contactId]))
  const [key, known] = await Promise.all([
    findKey(ctx),
    listContactPoints(ctx.db, { contactIds: [...new Set(linked)], points: used }),
  ])
  const pointsOf = Map.groupBy(known, ({ contact_id }) => contact_id)
  // Contacts that have a point themselves come before contacts that have it only from a lead.
  const present = known
    .filter(isHeldBy)
    .toSorted((a, b) => Number(a.source === 'lead') - Number(b.source === 'lead'))
  const holders = Map.groupBy(present, ({ value }) => value)
  const contactIdsOf = ({ points, contactId }: Recipient) => {
    const holding = points.flatMap(({ value }) => holders.get(value) ?? [])
    return [...new Set([...(contactId === null ? [] : [contactId]), ...holding.map((one) => one.contact_id)])]
  }
  return {
    contactIdsOf,
    contactIds: [...new Set(recipients.flatMap(contactIdsOf))],
    async findHeld() {
      if (key === undefined) return () => []
      const persons = new Set([...linked, ...pointsOf.keys()])
      const contacts = [...persons].map((value) => ({ type: 'contact' as const, value }))
      const held = await listByValue(ctx.db, key, [...used, ...known, ...contacts])
      return (recipient) => [
        ...recipient.points.flatMap(({ value }) => held.get(value) ?? []),
        ...contactIdsOf(recipient).flatMap((id) => againstContact(id, pointsOf.get(id) ?? [], held)),
      ]
    },
  }
}

/** The suppressions of a contact itself and, if they are about the person, those of its points. */
export const againstContact = (id: string, points: readonly ContactPoint[], held: Held): SuppressionRow[] => [
  ...(held.get(id) ?? []),
  ...points.flatMap((point) => (held.get(point.value) ?? []).filter((row) => suppressionReaches(row, point))),
]
