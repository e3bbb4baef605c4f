import type { Tx } from '#kernel/context.ts'
import { type ContactPoint, listContactPoints, listFormerHolders } from '../contacts/public.ts'
import { againstContact, listByValue } from './find-suppressions.ts'
import { isHeldBy, suppressionReaches } from './reach.ts'
import { recordSuppressions } from './record-suppressions.ts'
import { findKeyIn } from './suppression-key.ts'
import type { SuppressionEntry, SuppressionSource } from './suppression.ts'

// Callers hold the locks of the contact and of its points. If two contacts give up the same number at once, the second one to run
// sees that the first no longer has it.

/**
 * Copies the suppressions of a contact that is being erased to every number and address that it or its leads ever had. Points that
 * other contacts had before it now belong to no one, so the suppressions of those contacts are copied to the points, too.
 */
export async function retainBeyondErasure(tx: Tx, contactId: string): Promise<void> {
  const key = await findKeyIn(tx)
  if (key === undefined) return
  await copySuppressions(tx, key, [contactId], { source: 'erasure', isTarget: ({ elsewhere }) => !elsewhere })
  await copyFromFormerHolders(tx, key, contactId, contactId)
}

/**
 * Copies a contact's suppressions to the numbers and addresses that it no longer has. If it was the last contact to have them, the
 * suppressions of the contacts that had them before are copied, too.
 */
export async function retainForFormerPoints(tx: Tx, contactId: string): Promise<void> {
  const key = await findKeyIn(tx)
  if (key === undefined) return
  await copySuppressions(tx, key, [contactId], { source: 'former', isTarget: isAbandoned })
  await copyFromFormerHolders(tx, key, contactId)
}

/** A former point that no other contact has. Suppressions of its former contact must not block another contact that has it now. */
const isAbandoned = ({ former_since, elsewhere }: ContactPoint) => former_since !== null && !elsewhere

async function copyFromFormerHolders(
  tx: Tx,
  key: Buffer,
  contactId: string,
  leaving?: string,
): Promise<void> {
  const points = await listContactPoints(tx, { contactIds: [contactId], points: [] })
  const own = new Set<string>(points.map(({ value }) => value))
  for (let after = ''; ;) {
    const holders = await listFormerHolders(tx, contactId, { leaving, after })
    const last = holders.at(-1)
    if (last === undefined) return
    await copySuppressions(tx, key, holders, {
      source: 'former',
      // Their other former points already have their suppressions.
      isTarget: (point) => isAbandoned(point) && own.has(point.value),
      leaving,
    })
    after = last
  }
}

async function copySuppressions(
  tx: Tx,
  key: Buffer,
  contactIds: readonly string[],
  {
    source,
    isTarget,
    leaving,
  }: {
    source: SuppressionSource
    isTarget: (point: ContactPoint) => boolean
    leaving?: string | undefined
  },
): Promise<void> {
  const points = await listContactPoints(tx, { contactIds, points: [], leaving })
  const targets = points.filter(isTarget)
  if (targets.length === 0) return
  const contacts = contactIds.map((value) => ({ type: 'contact' as const, value }))
  const held = await listByValue(tx, key, [...contacts, ...points])
  if (held.size === 0) return
  const pointsOf = Map.groupBy(points, ({ contact_id }) => contact_id)
  await recordSuppressions(
    tx,
    key,
    targets.flatMap((point) =>
      againstContact(point.contact_id, pointsOf.get(point.contact_id) ?? [], held).map((row) => ({
        ...row,
        subject: point,
        contactId: point.contact_id,
        source,
      })),
    ),
  )
}

/**
 * Adds to each entry the contact that has its number or address, if exactly one has it. Also adds copies of the entries for the points
 * that a subject's contact no longer has, provided that an entry is about the person and that person made it.
 */
export async function withFormer(tx: Tx, entries: readonly SuppressionEntry[]): Promise<SuppressionEntry[]> {
  const subjects = entries.map(({ subject }) => subject)
  const points = await listContactPoints(tx, {
    contactIds: subjects.filter((subject) => subject.type === 'contact').map(({ value }) => value),
    points: subjects.filter((subject) => subject.type !== 'contact'),
  })
  const present = Map.groupBy(points.filter(isHeldBy), ({ value }) => value)
  const known = entries.map((entry): SuppressionEntry => {
    const [holder, another] = present.get(entry.subject.value as never) ?? []
    return holder === undefined || another !== undefined ? entry : { ...entry, contactId: holder.contact_id }
  })
  if (!points.some(isAbandoned)) return known
  const contactsOf = (entry: SuppressionEntry) => {
    if (entry.source === 'unverified_email') return []
    return entry.subject.type === 'contact'
      ? [entry.subject.value]
      : points
          .filter(
            (point) =>
              point.value === entry.subject.value && isHeldBy(point) && suppressionReaches(entry, point),
          )
          .map(({ contact_id }) => contact_id)
  }
  return known.flatMap((entry) => {
    const contacts = new Set(contactsOf(entry))
    const former = points.filter((point) => contacts.has(point.contact_id) && isAbandoned(point))
    return [
      entry,
      ...former.map((point) => ({
        ...entry,
        subject: point,
        contactId: point.contact_id,
        source: 'former' as const,
      })),
    ]
  })
}
