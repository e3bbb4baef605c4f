import type { Tx } from '#kernel/context.ts'
import type { Db } from '#kernel/db/handles.ts'
import { creatorIn } from '#kernel/reach.ts'
import type { Point } from './contact-points.ts'
import type { Contact } from './contact.ts'
import { ContactDuplicateFound } from './events.ts'
import { type PresentPoint, findWrittenForm, listPresentPoints, markDoubles } from './point-queries.ts'
import { listContactsById, lockContactsForShare } from './queries.ts'

/**
 * The contacts that may hold one of these points, the oldest first: those whose own it is, else those that have it from
 * a lead. A double counts only if no other contact has the point.
 */
export const listHolders = async (db: Db, points: readonly Point[]): Promise<Contact[]> =>
  listContactsById(db, idsOf(foremost(await listPresentPoints(db, points))))

/** Whether a contact has this point as a double: the point is another contact's, whatever its owner can see. */
export const isDouble = async (db: Db, contactId: string, point: Point): Promise<boolean> => {
  const present = await listPresentPoints(db, [point])
  return (
    present.some((one) => one.contact_id === contactId && one.double) &&
    !idsOf(foremost(present)).includes(contactId)
  )
}

/**
 * Of the forms of a number, the one that its holder has, as it is written there before others; else the first. The
 * conversation is with this form, so that a response belongs to what was written to it.
 */
export async function findKnownForm(db: Db, forms: readonly Point[]): Promise<Point | undefined> {
  if (forms.length < 2) return forms[0]
  const known = await findWrittenForm(db, forms)
  return forms.find(({ value }) => value === known?.value) ?? forms[0]
}

function foremost(present: readonly PresentPoint[]): PresentPoint[] {
  const ranked = Map.groupBy(present, ({ source, double }) => (double ? 2 : Number(source === 'lead')))
  // A double that is alone has no one to give way to. Of several, the oldest comes first.
  return ranked.get(0) ?? ranked.get(1) ?? (ranked.get(2) ?? []).slice(0, 1)
}

const idsOf = (points: readonly PresentPoint[]): string[] => [
  ...new Set(points.map(({ contact_id }) => contact_id)),
]

/**
 * Marks those of a contact's new points as doubles whose holder the caller cannot see, and publishes an event about the
 * holder. Otherwise, an agent who adds a contact with the number of a colleague's client would take the client over.
 * The caller holds the points' locks and the contact's.
 */
export async function settleDoubles(tx: Tx, contactId: string, points: readonly Point[]): Promise<void> {
  if (tx.reach === 'all' || points.length === 0) return
  const all = tx.unrestricted()
  const doubles: Point[] = []
  const holders = new Set<string>()
  for (const point of points) {
    const present = await listPresentPoints(all, [point])
    const [holder] = foremost(present.filter(({ contact_id }) => contact_id !== contactId))
    if (holder === undefined) continue
    const [held] = await lockContactsForShare(all, [holder.contact_id])
    if (held === undefined || (await lockContactsForShare(tx, [held.id])).length > 0) continue
    doubles.push(point)
    holders.add(holder.contact_id)
  }
  if (doubles.length === 0) return
  markDoubles(all, contactId, doubles)
  // A key that sees only its own events would learn from this one that the person was known.
  const informed = all.hidingFrom(creatorIn(tx.reach) ?? null)
  for (const id of holders) await informed.emit(ContactDuplicateFound, { id })
}
