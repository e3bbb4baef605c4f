import { Type, type TObject } from 'typebox'
import type { Ctx, Tx } from '#kernel/context.ts'
import { AppError, ReferenceNotFound, ValidationFailed, orNotFound } from '#kernel/errors.ts'
import { textReader } from '#kernel/http/text-in.ts'
import { inSlices } from '#kernel/http/time-slices.ts'
import { bodyValidator } from '#kernel/http/validation.ts'
import { reaches } from '#kernel/reach.ts'
import { nullable } from '#kernel/schemas.ts'
import { lockContactsForShare, lockNamedForShare } from '../contacts/public.ts'
import { findUnknownIds, findWorkspace } from '../workspaces/public.ts'
import { addListing, newListing, patchedListing, saveChanges } from './change-listing.ts'
import { ListingOfAnother } from './errors.ts'
import { type Listing, type ListingDraft, type ListingPatch, listingFields, listings } from './listing.ts'
import { type Matcher, addressKeyOf, createMatcher } from './match-rows.ts'
import { listSame, lockKeys } from './queries.ts'

/** The fields of one listing: a draft, or a patch if the listing already exists. */
export type ListingRow = ListingPatch & Pick<ListingDraft, 'original_list_price'>

const { properties } = listings.Patch as unknown as TObject

export const ListingRow = Type.Unsafe<ListingRow>(
  Type.Object(
    {
      ...properties,
      original_list_price: Type.Optional(nullable(listingFields.original_list_price.schema)),
    },
    {
      title: 'ListingRow',
      additionalProperties: false,
      description:
        'A new or existing listing. It must have `mls_number`, or else `street_name` and `postal_code`. For an existing listing, fields that you omit keep their values, and `null` clears a field.',
    },
  ),
)
const readTexts = textReader(ListingRow, { isPatch: true })
const validateRow = bodyValidator(ListingRow)

export interface RowResult {
  result: 'created' | 'updated' | 'unchanged' | 'failed'
  id: string | null
  /** Why the row was not written. */
  error: AppError | null
}

/** The maximum number of rows per transaction. */
export const maxRows = 100

export interface SaveOptions {
  /** What earlier rows of the same import matched. Learns from these rows. */
  matcher?: Matcher
  /** How to name a row in the error of another one: `row 3`. */
  nameOf?: (index: number) => string
  /** Rolls back instead of committing. */
  dryRun?: boolean
}

/**
 * Adds each row as a listing or updates the listing that it matches, by MLS number or else by address. Writes all valid
 * rows in one transaction, and reports why the others failed. Idempotent.
 */
export async function saveRows(
  ctx: Ctx,
  rows: readonly unknown[],
  { dryRun = false, ...options }: SaveOptions = {},
): Promise<RowResult[]> {
  let results: RowResult[] = []
  const rollback = new Error('A dry run is rolled back.')
  try {
    await ctx.transaction(async (tx) => {
      results = await saveAll(ctx, tx, rows, options)
      // Flush, so that a dry run also reports what the database rejects.
      await tx.flush()
      if (dryRun) throw rollback
    })
  } catch (error) {
    if (error !== rollback) throw error
  }
  return results
}

async function saveAll(
  ctx: Ctx,
  limited: Tx,
  given: readonly unknown[],
  { matcher = createMatcher(), nameOf = (index) => `row ${index}` }: SaveOptions,
): Promise<RowResult[]> {
  // The rows of a file come without passing the API.
  const rows = given.map(readTexts)
  const faults = rows.map(faultOf)
  const valid = rows.map((row, index) => (faults[index] === undefined ? (row as ListingRow) : undefined))
  const known = valid.flatMap((row) => row ?? [])
  const sought = {
    mlsNumbers: known.flatMap(({ mls_number }) => mls_number ?? []),
    addressKeys: known.flatMap((row) => addressKeyOf(row) ?? []),
  }
  lockKeys(limited, [...sought.mlsNumbers, ...sought.addressKeys])
  const tx = limited.unrestricted()
  const named = [...known, ...(await listSame(tx, sought, false))]
  const sellers = named.flatMap(({ seller_contact_id }) => seller_contact_id ?? [])
  if (sellers.length > 0) await lockContactsForShare(tx, sellers)
  const requireReferences = await referencesOf(ctx, limited, known)
  const { currency } = orNotFound(await findWorkspace(tx, tx.workspaceId))
  const present = new Map((await listSame(tx, sought, true)).map((one) => [one.id, one]))
  for (const listing of present.values()) matcher.learn(listing)
  const results: RowResult[] = []
  // Rows with an MLS number go first, because they determine which listings are at an address.
  const isNumbered = (row: ListingRow | undefined) => (row?.mls_number ?? null) !== null
  const inTurn = [...valid.entries()].toSorted(
    ([, a], [, b]) => Number(isNumbered(b)) - Number(isNumbered(a)),
  )
  const saveRow = async ([index, row]: [number, ListingRow | undefined]): Promise<void> => {
    const save = async (): Promise<RowResult> => {
      if (row === undefined) throw faults[index] ?? ValidationFailed([])
      const match = matcher.match(row)
      const earlier = matcher.claim(row, match, nameOf(index))
      if (earlier !== undefined) {
        const path = isNumbered(row) ? 'mls_number' : 'street_name'
        throw ValidationFailed([{ path, message: `is that of ${earlier} too` }])
      }
      const before = present.get(match?.id ?? '')
      requireReferences(row, before)
      const { result, listing } =
        before === undefined ? await add(ctx, tx, row, currency) : await change(ctx, tx, before, row)
      matcher.learn(listing, nameOf(index))
      return { result, id: listing.id, error: null }
    }
    results[index] = await save().catch(failed)
  }
  for await (const slice of inSlices(inTurn)) for (const entry of slice) await saveRow(entry)
  return results
}

function faultOf(row: unknown): AppError | undefined {
  try {
    validateRow(row)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  const { mls_number = null } = row as ListingRow
  if (mls_number !== null || addressKeyOf(row as ListingRow) !== null) return undefined
  return ValidationFailed([
    { path: 'mls_number', message: 'is required unless street_name and postal_code are set' },
  ])
}

function failed(error: unknown): RowResult {
  if (!(error instanceof AppError) || error.status >= 500) throw error
  return { result: 'failed', id: null, error }
}

interface Saved {
  result: RowResult['result']
  listing: Listing
}

async function add(ctx: Ctx, tx: Tx, row: ListingRow, currency: string): Promise<Saved> {
  const given = Object.entries(row).filter(([, value]) => value !== null)
  const listing = newListing(ctx, Object.fromEntries(given) as ListingDraft, currency)
  await addListing(tx, listing)
  return { result: 'created', listing }
}

async function change(ctx: Ctx, tx: Tx, before: Listing, row: ListingRow): Promise<Saved> {
  if (!reaches(ctx.reach, before.list_agent_id)) throw ListingOfAnother()
  const { original_list_price: original = null, ...patch } = row
  const isFixed = before.original_list_price !== null
  if (isFixed && original !== null && original !== before.original_list_price)
    throw ValidationFailed([
      { path: 'original_list_price', message: 'cannot change since the listing became active' },
    ])
  const fixes = isFixed || original === null ? {} : { original_list_price: original }
  const patched = patchedListing(before, { ...patch, ...fixes }, tx.clock.now())
  if (patched === undefined) return { result: 'unchanged', listing: before }
  await saveChanges(tx, before, patched)
  return { result: 'updated', listing: patched.after }
}

/**
 * Prevents the erasure of the sellers that rows name. Returns a check of one row that throws 404 for missing
 * references.
 */
async function referencesOf(ctx: Ctx, tx: Tx, rows: readonly ListingRow[]) {
  const all = (name: 'list_agent_id' | 'list_office_id' | 'seller_contact_id') => [
    ...new Set(rows.flatMap((row) => row[name] ?? [])),
  ]
  const isUnknown = await findUnknownIds(tx, {
    member: all('list_agent_id'),
    office: all('list_office_id'),
  })
  const requireSeller = new Map<string, Awaited<ReturnType<typeof lockNamedForShare>>>()
  for (const id of all('seller_contact_id').toSorted())
    requireSeller.set(id, await lockNamedForShare(tx, [['seller_contact_id', id]]))
  return (row: ListingRow, before: Listing | undefined): void => {
    const {
      list_agent_id: agent = null,
      list_office_id: office = null,
      seller_contact_id: seller = null,
    } = row
    const isNew = agent !== null && agent !== before?.list_agent_id
    if (isNew && (isUnknown('member', agent) || !reaches(ctx.reach, agent)))
      throw ReferenceNotFound('list_agent_id')
    if (office !== null && isUnknown('office', office)) throw ReferenceNotFound('list_office_id')
    if (seller !== null) requireSeller.get(seller)?.([before?.seller_contact_id ?? ''])
  }
}
