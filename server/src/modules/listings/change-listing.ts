import type { Ctx, Tx } from '#kernel/context.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { ListingCreated, ListingPriceChanged, ListingStatusChanged, ListingUpdated } from './events.ts'
import { reviewOf } from './fair-housing.ts'
import type { PriceHistory } from './listing-parts.ts'
import { type Listing, type ListingDraft, type ListingPatch, listingFields, listings } from './listing.ts'
import { insertListing, saveListing } from './queries.ts'

/**
 * A listing as the draft has it, with what follows. `currency` is that of the workspace. Throws for a draft that cannot be. Writes
 * nothing.
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

/** The member who acts, where they would not see to what they add otherwise, or the draft says nothing of whose it is. */
const memberFor = ({ reach, memberId }: Ctx, { list_office_id }: ListingDraft): string | undefined =>
  reach !== 'all' || list_office_id === undefined ? memberId : undefined

/** Adds it and publishes `listing.created`. */
export async function addListing(tx: Tx, listing: Listing): Promise<void> {
  insertListing(tx, listing)
  await tx.emit(ListingCreated, listing)
}

/** What a patch of a locked listing makes of it; undefined where nothing changes. Throws where it must not be. Writes nothing. */
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

/** Writes what a patch made, with an event for the status, one for the price, and one for everything else. */
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

/** Prices that are kept. */
const mostPrices = 100

/** What was listed longer ago is no news when it comes here. */
const newsMs = 7 * 24 * 60 * 60_000

/** What follows from a change: the history of prices, the original price, and what is news to those who search. */
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
