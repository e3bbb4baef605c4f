import type { WorkspaceTx } from '#kernel/db/handles.ts'
import type { Point } from './contact-points.ts'
import { listContactPoints } from './point-queries.ts'
import { lockHolders, lockPoints } from './queries.ts'

/** Above this number of points, the current points of contacts that only share a point are not locked. */
const mostPoints = 1000

/**
 * Locks the persons behind these contacts and points. Required before any write that blocks contacting them and before
 * their points change. Locks all their current and former points first, then the contacts. A message starts under the
 * same locks, so none can start after the change has committed. Take these locks before any other lock on a contact or
 * lead.
 */
export async function lockPersons(
  limited: WorkspaceTx,
  { contactIds, points }: { contactIds: readonly string[]; points: readonly Point[] },
): Promise<void> {
  // A person's identity does not depend on the caller's reach.
  const tx = limited.unrestricted()
  const known = await listContactPoints(tx, { contactIds, points })
  const isConcerned = ({ contact_id, former_since }: (typeof known)[number]) =>
    known.length <= mostPoints || former_since !== null || contactIds.includes(contact_id)
  lockPoints(tx, [...points, ...known.filter(isConcerned)])
  await lockHolders(tx, contactIds, points)
}
