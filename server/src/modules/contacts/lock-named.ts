import type { Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { reaches } from '#kernel/reach.ts'
import { ContactErased } from './errors.ts'
import { type LockedContact, lockContactsForShare } from './queries.ts'

/** The IDs of contacts in a request body, each with its path. */
export type NamedContacts = readonly (readonly [path: string, id: string])[]

/**
 * Prevents the erasure of contacts until the transaction ends: those that a body names, and those that the record has
 * at `present`, because a transaction that publishes an event about a contact must hold it. Returns a check to call
 * once the record is locked. It throws 404 for named contacts that are unknown or out of reach and 409 `contact_erased`
 * for erased ones, except those that the record has `already`.
 */
export async function lockNamedForShare(tx: Tx, named: NamedContacts, present: readonly string[] = []) {
  const ids = [...named.map(([, id]) => id), ...present]
  const rows = ids.length === 0 ? [] : await lockContactsForShare(tx.unrestricted(), ids)
  const held: ReadonlyMap<string, LockedContact> = new Map(rows.map((row) => [row.id, row]))
  return (already: readonly string[] = []) => {
    const added = named.filter(([, id]) => !already.includes(id))
    const unknown = added.filter(
      ([, id]) => !reaches(tx.reach, held.get(id)?.owner_id ?? null) || !held.has(id),
    )
    if (unknown.length > 0) throw ReferenceNotFound(...unknown.map(([path]) => path))
    if (added.some(([, id]) => held.get(id)?.erased_at !== null)) throw ContactErased()
    return held
  }
}

/**
 * Also holds contacts that were added to a record while this transaction waited for the record's lock. This is out of
 * the lock order. If it deadlocks, PostgreSQL ends one of the transactions, which then has changed nothing: a request
 * responds with 503, and the engine tries again.
 */
export async function lockFurtherForShare(
  tx: Tx,
  held: readonly string[],
  present: readonly string[],
): Promise<void> {
  const further = present.filter((id) => !held.includes(id))
  if (further.length > 0) await lockContactsForShare(tx.unrestricted(), further)
}
