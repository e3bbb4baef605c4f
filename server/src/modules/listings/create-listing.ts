import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireReach } from '#kernel/reach.ts'
import { lockNamedForShare } from '../contacts/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { addListing, newListing } from './change-listing.ts'
import { MlsNumberTaken } from './errors.ts'
import type { Listing, ListingDraft } from './listing.ts'
import { listSame, lockKeys } from './queries.ts'

/**
 * Adds a listing. A member with limited reach is its agent by default and cannot assign an agent out of reach. Throws
 * 409 `mls_number_taken`, `fair_housing_review`, or `contact_erased`.
 */
export const createListing = (ctx: Ctx, draft: ListingDraft): Promise<Listing> =>
  ctx.transaction(async (tx) => {
    const { list_agent_id, seller_contact_id, mls_number } = draft
    if (list_agent_id !== undefined) requireReach(ctx.reach, list_agent_id, 'list_agent_id')
    if (mls_number !== undefined) lockKeys(tx, [mls_number])
    const requireSeller = await lockNamedForShare(
      tx,
      seller_contact_id === undefined ? [] : [['seller_contact_id', seller_contact_id]],
    )
    requireSeller()
    const { currency } = orNotFound(await findWorkspace(tx, tx.workspaceId))
    const listing = newListing(ctx, draft, currency)
    await requireFreeNumber(tx, listing)
    await addListing(tx, listing)
    return listing
  })

/** Throws `mls_number_taken` if another listing has the number. The caller must hold the number's lock. */
export async function requireFreeNumber(
  tx: Tx,
  { id, mls_number }: Pick<Listing, 'id' | 'mls_number'>,
): Promise<void> {
  if (mls_number === null) return
  const same = await listSame(tx, { mlsNumbers: [mls_number], addressKeys: [] }, false)
  if (same.some((other) => other.id !== id)) throw MlsNumberTaken(mls_number)
}
