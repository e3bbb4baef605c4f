import type { Ctx, Tx } from '#kernel/context.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { ListingCreated, ListingPriceChanged, ListingStatusChanged, ListingUpdated } from './events.ts'
import { reviewOf } from './fair-housing.ts'
import type { PriceHistory } from './listing-parts.ts'
import { type Listing, type ListingDraft, type ListingPatch, listingFields, listings } from './listing.ts'
import { insertListing, saveListing } from './queries.ts'

/**
 * Builds a listing from a draft, with its derived fields. `currency` is the workspace's. Throws for an invalid draft.
 * Writes nothing.
 */
export function newListing(ctx: Ctx, draft: ListingDraft, currency: string): Listing {
  const at = ctx.clock.now()
  const { list_agent_id = memberFor(ctx, draft) } = draft
  const created = listings.create(
    { currency, ...draft, ...(list_agent_id === undefined ? {} : { list_agent_id }) },
    at,
  )
  const { type, id } = ctx.actor
  return {
    ...created,
    ...consequencesOf(undefined, created, at),
    fair_housing: reviewOf(undefined, created),
    created_by: { type, id },
  }
}

/** The acting member by default, if their reach is limited or the draft names no office. */
const memberFor = ({ reach, memberId }: Ctx, { list_office_id }: ListingDraft): string | undefined =>
  reach !== 'all' || list_office_id === undefined ? memberId : undefined

/** Inserts the listing and publishes `listing.created`. */
export async function addListing(tx: Tx, listing: Listing): Promise<void> {
  insertListing(tx, listing)
  await tx.emit(ListingCreated, listing)
}

/**
 * Applies a patch to a locked listing; undefined if nothing changes. Throws if the result is not allowed. Writes
 * nothing.
 */
export function patchedListing(
  before: Listing,
  patch: ListingPatch & Partial<Pick<Listing, 'fair_housing' | 'original_list_price'>>,
  at: Date,
) {
  const patched = listings.applyPatch(before, patch, at)
  if (patched === undefined) return undefined
  const fair_housing = patch.fair_housing ?? reviewOf(before, patched.after)
  return listings.applyPatch(
    before,
    { ...patch, ...consequencesOf(before, patched.after, at), fair_housing },
    at,
  )
}

const {
  status: _status,
  list_price: _price,
  price_history: _history,
  fair_housing: _review,
  created_by: _creator,
  listed_at: _listed,
  relisted_at: _relisted,
  news_at: _news,
  deleted_at: _deleted,
  ...details
} = listingFields
const detailNames = Object.keys(details) as (keyof typeof details)[]

/**
 * Writes a patched listing and publishes an event for a new status, one for a new price, and one for everything else.
 */
export async function saveChanges(
  tx: Tx,
  before: Listing,
  { after, changed }: NonNullable<ReturnType<typeof patchedListing>>,
): Promise<void> {
  saveListing(tx, after, changed)
  if (before.status !== after.status)
    await tx.emit(ListingStatusChanged, { ...after, from: before.status, to: after.status })
  if (before.list_price !== after.list_price)
    await tx.emit(ListingPriceChanged, { ...after, from: before.list_price, to: after.list_price })
  const changes = changesOf(listings, detailNames, before, after)
  if (changes.length > 0) await tx.emit(ListingUpdated, { id: after.id, changes })
}

/** The maximum number of entries in a price history. */
const mostPrices = 100

/** A listing that was listed longer ago than this is not news when it is added. */
const newsMs = 7 * 24 * 60 * 60_000

/**
 * The fields that follow from a change: the price history, the original price, and the times that make it news for
 * saved searches.
 */
function consequencesOf(before: Listing | undefined, after: Listing, at: Date): Partial<Listing> {
  const { status, list_price, listed_on } = after
  const now = at.toISOString()
  const isActive = status === 'active'
  const comes = isActive && before?.status !== 'active'
  const isFirst = comes && (before?.listed_at ?? null) === null
  const isNews = !isFirst || listed_on === null || Date.parse(listed_on) + newsMs > at.getTime()
  const listedAt = isNews || listed_on === null ? now : `${listed_on}T00:00:00.000Z`
  const falls = isActive && list_price !== null && list_price < (before?.list_price ?? 0)
  return {
    ...(list_price !== null && list_price !== before?.list_price
      ? { price_history: withPrice(before?.price_history ?? [], list_price, now) }
      : {}),
    ...(isActive && after.original_list_price === null ? { original_list_price: list_price } : {}),
    ...(isFirst ? { listed_at: listedAt } : {}),
    ...(comes && !isFirst ? { relisted_at: now } : {}),
    ...((comes && isNews) || falls ? { news_at: now } : {}),
  }
}

const withPrice = (history: PriceHistory, list_price: number, at: string): PriceHistory =>
  [...history, { list_price, at }].slice(-mostPrices)
