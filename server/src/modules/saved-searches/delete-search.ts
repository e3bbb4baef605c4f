import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { SavedSearchDeleted } from './events.ts'
import { deleteSearch, lockSearch, lockSearchesOf } from './queries.ts'
import { cancelDigest } from './update-search.ts'

/** Deletes a search and cancels its unsent digest. */
export const removeSearch = (ctx: Ctx, id: string): Promise<{ id: string; deleted: true }> =>
  ctx.transaction(async (tx) => {
    await cancelDigest(tx, id)
    const search = orNotFound(await lockSearch(tx, id))
    deleteSearch(tx, id)
    await tx.emit(SavedSearchDeleted, search)
    return { id, deleted: true as const }
  })

/**
 * Deletes the searches of an erased contact. Their unsent messages are cancelled with all other messages to the
 * contact.
 */
export async function eraseSearches(tx: Tx, contactId: string): Promise<void> {
  const ids = await lockSearchesOf(tx, contactId)
  for (const id of ids) deleteSearch(tx, id)
  if (ids.length > 0) await scrubReplies(tx, ids)
}
