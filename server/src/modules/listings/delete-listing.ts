import type { Ctx } from '#kernel/context.ts'
import { NotFound, orNotFound } from '#kernel/errors.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { requireFreeNumber } from './create-listing.ts'
import { ListingDeleted, ListingRestored } from './events.ts'
import type { Listing } from './listing.ts'
import { lockKeys, lockListing, saveListing } from './queries.ts'
import { lockOwn } from './update-listing.ts'

/** How long a deleted listing can be restored. */
const restorableMs = 30 * 24 * 60 * 60_000

/** Soft-deletes a listing; see `restoreListing`. */
export const deleteListing = (ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> =>
  ctx.transaction(async (tx) => {
    const listing = await lockOwn(tx, id)
    const now = ctx.clock.now()
    const updated_at = timeAfter(listing.updated_at, now)
    saveListing(tx, listing, { deleted_at: now.toISOString(), updated_at })
    await tx.emit(ListingDeleted, { id })
    return { id, deleted: true as const }
  })

/**
 * Restores a listing that was deleted within the last 30 days; 404 after that. A listing that is not deleted stays as
 * it is.
 */
export const restoreListing = (ctx: Ctx, id: string): Promise<Listing> =>
  ctx.transaction(async (tx) => {
    const hidden = orNotFound(await lockListing(tx, id))
    if (hidden.deleted_at === null) return hidden
    const now = ctx.clock.now()
    if (Date.parse(hidden.deleted_at) + restorableMs < now.getTime()) throw NotFound()
    if (hidden.mls_number !== null) lockKeys(tx, [hidden.mls_number])
    await requireFreeNumber(tx, hidden)
    const changed = { deleted_at: null, updated_at: timeAfter(hidden.updated_at, now) }
    saveListing(tx, hidden, changed)
    await tx.emit(ListingRestored, { id })
    return { ...hidden, ...changed }
  })
