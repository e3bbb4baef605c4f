import type { Tx } from '#kernel/context.ts'
import { ReferenceNotFound } from '#kernel/errors.ts'
import { reaches } from '#kernel/reach.ts'
import { ContactErased } from './errors.ts'
import { type HeldContact, holdContacts } from './queries.ts'

/** The ids of contacts in a body, each with its path. */
export type NamedContacts = readonly (readonly [path: string, id: string])[]

/**
 * Keeps the contacts that a body names from being erased until the transaction ends, and those that the record names at
 * `present`: who publishes an event of a contact holds it. Returns a check to call once the record is locked: 404 for those
 * unknown or out of reach, 409 `contact_erased`. Those that the record names `already` pass.
 */
export async function holdNamed(tx: Tx, named: NamedContacts, present: readonly string[] = []) {
  const ids = [...named.map(([, id]) => id), ...present]
  const rows = ids.length === 0 ? [] : await holdContacts(tx.unrestricted(), ids)
  const held: ReadonlyMap<string, HeldContact> = new Map(rows.map((row) => [row.id, row]))
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

/** Holds those that a record has come to name while its lock was waited for, too. */
export async function holdFurther(
  tx: Tx,
  held: readonly string[],
  present: readonly string[],
): Promise<void> {
  const further = present.filter((id) => !held.includes(id))
  if (further.length > 0) await holdContacts(tx.unrestricted(), further)
}
