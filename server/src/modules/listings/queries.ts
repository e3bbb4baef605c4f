import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { conditionsWith } from '#kernel/db/slice.ts'
import { sql } from '#kernel/db/sql.ts'
import { reachSetting } from '#kernel/db/tenant.ts'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { Money, toCents } from '#kernel/money.ts'
import { within } from '#kernel/reach.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference, text } from '#kernel/records/fields.ts'
import { searchTerms } from '../contacts/public.ts'
import { type Listing, PropertyType, derivedOf, listingStatuses, listings } from './listing.ts'
import { insertOpenHouses, replaceOpenHouses } from './open-house-queries.ts'

const { Row, columns } = listings

/** Not limited by reach, because every member can read all listings. */
export const findListing = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from listings where workspace_id = ${db.workspaceId} and id = ${id} and deleted_at is null`

/** Up to 200 listings within reach whose remarks await review, newest first. */
export const listInReview = (db: Db) =>
  db.many(Row)`
    select ${columns} from listings
    where workspace_id = ${db.workspaceId} and deleted_at is null and fair_housing ->> 'status' = 'review'
      ${within(db, sql`list_agent_id`)}
    order by id desc limit 200`

/** Locks a listing within reach for a change, even a deleted one. */
export const lockListing = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from listings
    where workspace_id = ${tx.workspaceId} and id = ${id} ${within(tx, sql`list_agent_id`)} for update`

/** Listings with one of the MLS numbers or at one of the addresses, oldest first. */
export const listSame = (
  db: Db,
  { mlsNumbers, addressKeys }: { mlsNumbers: readonly string[]; addressKeys: readonly string[] },
  andLock: boolean,
) =>
  db.many(Row)`
    select ${columns} from listings where workspace_id = ${db.workspaceId} and id = any (array(
      select id from listings
      where workspace_id = ${db.workspaceId} and mls_number = any (${mlsNumbers}::text[]) and deleted_at is null
      union
      select id from listings
      where workspace_id = ${db.workspaceId} and address_key = any (${addressKeys}::text[]) and deleted_at is null))
    order by id ${andLock ? sql`for update` : sql``}`

/** Serializes transactions that use the same MLS number or add listings at the same address. */
export function lockKeys(tx: WorkspaceTx, keys: readonly string[]): void {
  if (keys.length > 0) lock(tx, ...keys.map((key) => `listing ${key}`))
}

export const listingFilters = filters({
  status: oneOf(Type.Enum(listingStatuses)),
  property_type: oneOf(PropertyType),
  city: equals(text(80, 'Return only listings in exactly this city.')),
  postal_code: equals(text(20, 'Return only listings in exactly this ZIP code.')),
  price_min: custom(Money('Return only listings with at least this list price.')),
  price_max: custom(Money('Return only listings with at most this list price.')),
  bedrooms_min: custom(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: 'Return only listings with at least this many bedrooms.',
    }),
  ),
  list_agent_id: equals(reference('member', 'Return only listings of this member.')),
  q: custom(
    text(
      120,
      'Words that must all occur in the address or the MLS number. A word of one or two letters matches the beginning of a word; a longer word matches any part.',
    ),
  ),
})
type ListingQuery = Static<typeof listingFilters.query>

/**
 * Newest first. A single exact filter has an index in list order; all other searches go through the database function.
 */
export async function listListings(db: Db, query: ListingQuery, page: Page): Promise<Listing[]> {
  const { q = '', price_min, price_max, bedrooms_min, ...exact } = query
  const terms = searchTerms(q)
  if (terms === null) return []
  const isPlain = [price_min, price_max, bedrooms_min].every((one) => one === undefined) && terms.length === 0
  const isSelected = Object.values(page.selection).some((one) => one !== undefined)
  if (isPlain && (isSelected || Object.keys(exact).length < 2))
    return db.many(Row)`
      select ${columns} from listings
      where workspace_id = ${db.workspaceId} and deleted_at is null ${listingFilters.where(exact)} ${page.keyset()}`
  return db.many(Row)`
    select ${columns} from search_listings(${db.workspaceId}, ${reachSetting(db.reach)}, ${terms}, ${conditionsWith(exact, page.selection)}::json, ${cents(price_min)},
      ${cents(price_max)}, ${bedrooms_min ?? null}, ${page.before}, ${page.limit})`
}

const cents = (amount: number | undefined): string | null =>
  amount === undefined ? null : toCents(amount).toString()

/** Serializes lists to JSON, because pg would turn them into PostgreSQL arrays. */
const stored = (row: Partial<Listing>): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, Array.isArray(value) ? JSON.stringify(value) : value]),
  )

export function insertListing(tx: WorkspaceTx, listing: Listing): void {
  tx.write`
    insert into listings ${values({ workspace_id: tx.workspaceId, ...stored(listing), ...derivedOf(listing) })}`
  insertOpenHouses(tx, listing)
}

/** Writes the changed columns. The caller must hold the row lock. */
export function saveListing(tx: WorkspaceTx, listing: Listing, changed: Partial<Listing>): void {
  tx.write`
    update listings set ${assignments({ ...stored(changed), ...derivedOf(listing) })}
    where workspace_id = ${tx.workspaceId} and id = ${listing.id} ${within(tx, sql`list_agent_id`)}`
  if (changed.open_houses !== undefined) replaceOpenHouses(tx, listing)
}

const NumberRow = Type.Object({ mls_number: Type.String() })

/** The MLS numbers that begin with a zero. */
export const listZeroed = async (db: Db): Promise<string[]> => {
  const rows = await db.many(NumberRow)`
    select mls_number from listings
    where workspace_id = ${db.workspaceId} and mls_number >= '0' and mls_number < '1' and mls_number ~ '^[0-9]+$'
      and deleted_at is null`
  return rows.map(({ mls_number }) => mls_number)
}

/** Folds again the texts of the next listings that an earlier version folded. Returns how many they were. */
export async function foldTextsAgain(tx: WorkspaceTx, limit: number): Promise<number> {
  const next = await tx.many(Row)`
    select ${columns} from listings
    where workspace_id = ${tx.workspaceId} and search_by is null order by id limit ${limit} for update`
  const made = next.map(derivedOf)
  tx.write`
    update listings set search_text = made.search_text, search_by = made.search_by
    from unnest(${next.map(({ id }) => id)}::text[], ${made.map((one) => one.search_text)}::text[],
      ${made.map((one) => one.search_by)}::smallint[]) as made (id, search_text, search_by)
    where workspace_id = ${tx.workspaceId} and listings.id = made.id collate "C"`
  return next.length
}

/** Removes an erased seller from their listings. The listings remain. */
export const unlinkSeller = (tx: WorkspaceTx, contactId: string): void =>
  tx.write`
    update listings set seller_contact_id = null
    where workspace_id = ${tx.workspaceId} and seller_contact_id = ${contactId}`
