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

/** The persons behind recipients. */
export interface Persons {
  /** The contacts behind a recipient: the one it was linked to, then those that have its points. */
  contactIdsOf(recipient: Recipient): readonly string[]
  contactIds: readonly string[]
  /**
   * What holds against each recipient: against its points, its contact, every contact that has one of its points, and, as far
   * as it is about the person, against the other points of those contacts. Asked once for all of them.
   */
  findHeld(): Promise<(recipient: Recipient) => readonly SuppressionRow[]>
}

/** What holds against these recipients. Throws 503 `suppressions_unreadable` where it cannot be known. */
export async function findAgainst(
  ctx: Pick<Ctx, 'db' | 'keys'>,
  recipients: readonly Recipient[],
): Promise<(recipient: Recipient) => readonly SuppressionRow[]> {
  if (recipients.length === 0 || (await findKey(ctx)) === undefined) return () => []
  return (await findPersons(ctx, recipients)).findHeld()
}

/** Throws 503 `suppressions_unreadable` where it cannot be known what holds against them. */
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
  // Those whose own a point is before those whose leads brought it.
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

/** What holds against a contact itself and, as far as it is about the person, against its points. */
export const againstContact = (id: string, points: readonly ContactPoint[], held: Held): SuppressionRow[] => [
  ...(held.get(id) ?? []),
  ...points.flatMap((point) => (held.get(point.value) ?? []).filter((row) => suppressionReaches(row, point))),
]
