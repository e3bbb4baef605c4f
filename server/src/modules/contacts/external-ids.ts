import type { Ctx, Tx } from '#kernel/context.ts'
import type { KeyRing } from '#kernel/secrets.ts'
import type { Contact } from './contact.ts'
import { ExternalIdTaken } from './errors.ts'
import {
  type FoundContact,
  type StoredId,
  deleteOtherIds,
  eraseExternalIds,
  insertExternalIds,
  listFound,
  lockExternalIds,
} from './external-id-queries.ts'
import { type ExternalId, includesId } from './external-id.ts'

/** As whom a caller gives IDs. Empty if it sees all contacts in full; else its IDs are its own. */
const authorOf = ({ reach, guarded, actor }: Ctx): string =>
  reach === 'all' && !guarded ? '' : String(actor.id)

/**
 * Whose IDs a caller finds. One that sees masks, or only what it created, finds its own alone: an ID may be a number or an
 * address, and what others gave would show that they know the person. One with limited reach also finds those that
 * it reads in the contacts that it sees.
 */
const findableBy = (ctx: Ctx): string[] => (ctx.guarded ? [authorOf(ctx)] : [...new Set([authorOf(ctx), ''])])

const purpose = 'external-ids'
const signed = (tx: Tx, { system, id }: ExternalId) => `${tx.workspaceId} ${system} ${id}`
const hashOf = (signature: Buffer) => signature.toString('base64url')

const formsOf = (tx: Tx, keys: KeyRing, id: ExternalId, at: number): StoredId[] => [
  { at, system: id.system, value: id.id, erased: false },
  ...keys
    .signatures(purpose, signed(tx, id))
    .map((signature) => ({ at, system: id.system, value: hashOf(signature), erased: true })),
]

/** Locks these IDs until the transaction ends, and returns the contacts that the caller finds by them. */
export async function findByExternalIds(
  ctx: Ctx,
  tx: Tx,
  ids: readonly ExternalId[],
): Promise<FoundContact[]> {
  if (ids.length === 0) return []
  lockExternalIds(tx, ids)
  return listFound(
    tx,
    ids.flatMap((id, at) => formsOf(tx, tx.keys, id, at)),
    findableBy(ctx),
  )
}

/**
 * Gives a contact these IDs and takes all but `contact.external_ids` from it. Throws 409 `external_id_taken` for a new one by
 * which the caller finds another contact. The caller holds the locks of the IDs and of the contact.
 */
export function giveExternalIds(
  ctx: Ctx,
  tx: Tx,
  contact: Pick<Contact, 'id' | 'external_ids'>,
  {
    given,
    found,
    had = [],
  }: { given: readonly ExternalId[]; found: readonly FoundContact[]; had?: readonly ExternalId[] },
): void {
  const others = found.filter(({ contact_id, erased }) => contact_id !== contact.id && !erased)
  const isOfOther = (at: number) => others.some((one) => one.at === at)
  const taken = others.filter(({ at }) => !includesId(had, given[at] as ExternalId))
  if (taken.length > 0) throw ExternalIdTaken(taken)
  if (had.length > 0) deleteOtherIds(tx, contact.id, contact.external_ids)
  const own = given.filter((_, at) => !isOfOther(at))
  if (own.length > 0) insertExternalIds(tx, contact.id, own, authorOf(ctx))
}

/** Leaves only keyed hashes of a contact's IDs, by which an upsert still finds that the contact was erased. */
export function forgetExternalIds(tx: Tx, { id, external_ids }: Contact): void {
  if (external_ids.length === 0) return
  const hashed = external_ids.map((one) => ({ ...one, hash: hashOf(tx.keys.sign(purpose, signed(tx, one))) }))
  eraseExternalIds(tx, id, hashed)
}
