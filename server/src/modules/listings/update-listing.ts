import type { Ctx, Tx } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { requireReach } from '#kernel/reach.ts'
import { retainWithheld } from '#kernel/references.ts'
import { lockFurtherForShare, lockNamedForShare } from '../contacts/public.ts'
import { patchedListing, saveChanges } from './change-listing.ts'
import { requireFreeNumber } from './create-listing.ts'
import { ListingOfAnother } from './errors.ts'
import { type Listing, type ListingPatch, listings } from './listing.ts'
import { findListing, lockKeys, lockListing } from './queries.ts'

/**
 * Applies the patch. Publishes `listing.status_changed`, `listing.price_changed`, and `listing.updated` for everything
 * else.
 */
export const updateListing = (ctx: Ctx, id: string, patch: ListingPatch): Promise<Listing> =>
  ctx.transaction(async (tx) => {
    const { list_agent_id, seller_contact_id, mls_number } = patch
    if (typeof mls_number === 'string') lockKeys(tx, [mls_number])
    const known = sellersOf(await findListing(tx, id))
    const requireSeller = await lockNamedForShare(
      tx,
      typeof seller_contact_id === 'string' ? [['seller_contact_id', seller_contact_id]] : [],
      known,
    )
    const before = requireMatch(ctx, await lockOwn(tx, id))
    requireSeller(sellersOf(before))
    await lockFurtherForShare(tx, known, sellersOf(before))
    if (typeof list_agent_id === 'string' && list_agent_id !== before.list_agent_id)
      requireReach(ctx.reach, list_agent_id, 'list_agent_id')
    const kept = await retainWithheld(ctx, tx, { schema: listings.Patch, patch, before })
    const patched = patchedListing(before, kept, ctx.clock.now())
    if (patched === undefined) return before
    if (before.mls_number !== patched.after.mls_number) await requireFreeNumber(tx, patched.after)
    await saveChanges(tx, before, patched)
    return patched.after
  })

const sellersOf = (listing: Pick<Listing, 'seller_contact_id'> | undefined) =>
  typeof listing?.seller_contact_id === 'string' ? [listing.seller_contact_id] : []

/** Locks a listing for a change. Throws 404 if it is deleted, and 403 if the caller can only read it. */
export async function lockOwn(tx: Tx, id: string): Promise<Listing> {
  const listing = await lockListing(tx, id)
  if (listing?.deleted_at === null) return listing
  if (listing !== undefined) throw NotFound()
  orNotFound(await findListing(tx, id))
  throw ListingOfAnother()
}
