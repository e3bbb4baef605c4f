import { addressKey } from './address-key.ts'
import type { Listing, ListingPatch } from './listing.ts'

type Identifying = Pick<
  ListingPatch,
  'mls_number' | 'street_number' | 'street_name' | 'unit_number' | 'postal_code'
>

export const addressKeyOf = ({ street_number, street_name, unit_number, postal_code }: Identifying) =>
  addressKey({
    street_number: street_number ?? null,
    street_name: street_name ?? null,
    unit_number: unit_number ?? null,
    postal_code: postal_code ?? null,
  })

/** A listing that a row can match. */
interface Known {
  id: string
  mlsNumber: string | null
  key: string | null
}

/** Matches the rows of an import to listings. */
export interface Matcher {
  /** Records the current state of a listing. `name` is the row that produced it. */
  learn(listing: Listing, name?: string): void
  match(row: Identifying): Known | undefined
  /**
   * Claims an existing or future listing for a row. Returns the name of the row that claimed it first, if any. A row
   * that was not written keeps its claim: otherwise it could match on the next import, and the two rows would overwrite
   * each other in turn.
   */
  claim(row: Identifying, match: Known | undefined, name: string): string | undefined
}

/**
 * A row matches the listing with its MLS number. If no listing has that number, it matches the listing at its address
 * that has no number, because a listing with another number is an earlier or later sale. A row without a number matches
 * the listing at its address that has none, or else the latest one there.
 */
export function createMatcher(): Matcher {
  const known = new Map<string, Known>()
  const byNumber = new Map<string, string>()
  const byKey = new Map<string, Set<string>>()
  const claimed = new Map<string, string>()

  function forget({ id, mlsNumber, key }: Known): void {
    if (mlsNumber !== null && byNumber.get(mlsNumber) === id) byNumber.delete(mlsNumber)
    if (key !== null) byKey.get(key)?.delete(id)
  }
  return {
    learn(listing, name) {
      const { id, mls_number: mlsNumber } = listing
      const before = known.get(id)
      if (before !== undefined) forget(before)
      const one = { id, mlsNumber, key: addressKey(listing) }
      known.set(id, one)
      if (name !== undefined) claimed.set(`listing ${id}`, name)
      if (mlsNumber !== null) byNumber.set(mlsNumber, id)
      if (one.key !== null) byKey.set(one.key, (byKey.get(one.key) ?? new Set()).add(id))
    },
    match(row) {
      const { mls_number = null } = row
      const numbered = mls_number === null ? undefined : byNumber.get(mls_number)
      if (numbered !== undefined) return known.get(numbered)
      const ids = [...(byKey.get(addressKeyOf(row) ?? '') ?? [])].toSorted().toReversed()
      const fitting =
        ids.find((id) => known.get(id)?.mlsNumber === null) ?? (mls_number === null ? ids[0] : undefined)
      return fitting === undefined ? undefined : known.get(fitting)
    },
    claim(row, match, name) {
      const { mls_number = null } = row
      const place = match === undefined ? `address ${addressKeyOf(row)}` : `listing ${match.id}`
      const number = mls_number === null ? [] : [`number ${mls_number}`]
      // Listings with different numbers can share an address.
      const exclusive = match === undefined && mls_number !== null ? number : [...number, place]
      const earlier = exclusive.map((one) => claimed.get(one)).find((one) => one !== undefined)
      if (earlier === undefined) for (const one of [...number, place]) claimed.set(one, name)
      return earlier
    },
  }
}
