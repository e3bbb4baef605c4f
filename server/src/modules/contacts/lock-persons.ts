import type { WorkspaceTx } from '#kernel/db/handles.ts'
import type { Point } from './contact-points.ts'
import { listContactPoints } from './point-queries.ts'
import { lockHolders, lockPoints } from './queries.ts'

/** Of contacts that share a number with hundreds of others, present points of their own are not locked. */
const mostPoints = 1000

/**
 * Locks the persons behind these contacts and points, before anything is written that keeps them from being contacted, and
 * before their points change: first all points that they have or had, then the contacts. A message begins under the same
 * locks, so that none begins after the change has committed. To be taken before any other lock of a contact or a lead.
 */
export async function lockPersons(
  limited: WorkspaceTx,
  { contactIds, points }: { contactIds: readonly string[]; points: readonly Point[] },
): Promise<void> {
  // Who a person is does not depend on who asks.
  const tx = limited.unrestricted()
  const known = await listContactPoints(tx, { contactIds, points })
  const isConcerned = ({ contact_id, former_since }: (typeof known)[number]) =>
    known.length <= mostPoints || former_since !== null || contactIds.includes(contact_id)
  lockPoints(tx, [...points, ...known.filter(isConcerned)])
  await lockHolders(tx, contactIds, points)
}
