import type { Tx } from '#kernel/context.ts'
import { lock } from '#kernel/db/lock.ts'
import { type ContactPoint, listContactPoints, listFormerHolders } from '../contacts/public.ts'
import { againstContact, listByValue } from './find-suppressions.ts'
import { isHeldBy, suppressionReaches } from './reach.ts'
import { recordSuppressions } from './record-suppressions.ts'
import { findKeyIn } from './suppression-key.ts'
import type { SuppressionEntry, SuppressionSource } from './suppression.ts'

/**
 * Carries what holds against a contact over to every number and address that it or its leads ever had. What others had before
 * it is no one's now: what holds against them is carried over, too.
 */
export async function carryBeyondErasure(tx: Tx, contactId: string): Promise<void> {
  await carryOver(tx, contactId, 'erasure', ({ elsewhere }) => !elsewhere)
  await carryToFormer(tx, await formerHolders(tx, contactId), contactId)
}

/**
 * Carries what holds against a contact over to the numbers and addresses that it no longer has. If it was the last to have
 * them, what holds against those who had them before is carried over, too.
 */
export async function carryFromChanged(tx: Tx, contactId: string): Promise<void> {
  await carryToFormer(tx, [contactId, ...(await formerHolders(tx, contactId))])
}

async function carryToFormer(tx: Tx, contactIds: readonly string[], leaving?: string): Promise<void> {
  for (const id of contactIds) await carryOver(tx, id, 'former', isAbandoned, leaving)
}

/** One after the other: of two contacts that give up the same number at once, the second finds the first without it. */
function formerHolders(tx: Tx, contactId: string): Promise<string[]> {
  lock(tx, 'former points')
  return listFormerHolders(tx, contactId)
}

/** A number that another contact has is not blocked through the contact that had it before. */
const isAbandoned = ({ former_since, elsewhere }: ContactPoint) => former_since !== null && !elsewhere

async function carryOver(
  tx: Tx,
  contactId: string,
  source: SuppressionSource,
  isTarget: (point: ContactPoint) => boolean,
  leaving?: string,
): Promise<void> {
  const points = await listContactPoints(tx, {
    contactIds: [contactId],
    points: [],
    ...(leaving === undefined ? {} : { leaving }),
  })
  const targets = points.filter(isTarget)
  const key = targets.length === 0 ? undefined : await findKeyIn(tx)
  if (key === undefined) return
  const subjects = [{ type: 'contact' as const, value: contactId }, ...points]
  const against = againstContact(contactId, points, await listByValue(tx, key, subjects))
  await recordSuppressions(
    tx,
    key,
    targets.flatMap((point) => against.map((row) => ({ ...row, subject: point, source }))),
  )
}

/** The same entries for the points that a subject's contact no longer has, where they are about the person. */
export async function withFormer(tx: Tx, entries: readonly SuppressionEntry[]): Promise<SuppressionEntry[]> {
  const subjects = entries.map(({ subject }) => subject)
  const points = await listContactPoints(tx, {
    contactIds: subjects.filter((subject) => subject.type === 'contact').map(({ value }) => value),
    points: subjects.filter((subject) => subject.type !== 'contact'),
  })
  if (!points.some(isAbandoned)) return [...entries]
  const contactsOf = (entry: SuppressionEntry) =>
    entry.subject.type === 'contact'
      ? [entry.subject.value]
      : points
          .filter(
            (point) =>
              point.value === entry.subject.value && isHeldBy(point) && suppressionReaches(entry, point),
          )
          .map(({ contact_id }) => contact_id)
  return entries.flatMap((entry) => {
    const contacts = new Set(contactsOf(entry))
    const former = points.filter((point) => contacts.has(point.contact_id) && isAbandoned(point))
    return [entry, ...former.map((point) => ({ ...entry, subject: point, source: 'former' as const }))]
  })
}
