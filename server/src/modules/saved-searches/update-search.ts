import type { Ctx, Tx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { requireMatch } from '#kernel/http/etag.ts'
import { changesOf } from '#kernel/records/changes.ts'
import { lockContactsForShare } from '../contacts/public.ts'
import { cancelUnsent } from '../messages/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { findWaiting } from './digest-queries.ts'
import { nextDigestAt } from './digest-times.ts'
import { SavedSearchUpdated } from './events.ts'
import { findSearch, lockSearch, saveSearch } from './queries.ts'
import { type SavedSearch, type SavedSearchPatch, savedSearches } from './saved-search.ts'

/** Applies the patch. Setting `active` to false pauses the search and cancels its unsent digest; true resumes it. */
export const updateSearch = (ctx: Ctx, id: string, patch: SavedSearchPatch): Promise<SavedSearch> =>
  ctx.transaction(async (tx) => {
    if (patch.active === false) await cancelDigest(tx, id)
    else await lockContactsForShare(tx.unrestricted(), [orNotFound(await findSearch(tx, id)).contact_id])
    const before = requireMatch(ctx, orNotFound(await lockSearch(tx, id)))
    const { active = before.active, frequency = before.frequency } = patch
    const isSwitched = active !== before.active
    const { timezone } = orNotFound(await findWorkspace(tx, tx.workspaceId))
    const next = () => nextDigestAt({ ...before, frequency }, timezone, tx.clock.now()).toISOString()
    return changeSearch(tx, before, {
      ...patch,
      ...(isSwitched || frequency !== before.frequency ? { next_at: active ? next() : null } : {}),
      ...(isSwitched ? { paused_reason: null } : {}),
    })
  })

/**
 * Cancels an unsent digest. Throws 404 if the search does not exist. Call this before locking the search: sending locks
 * the message first.
 */
export async function cancelDigest(tx: Tx, id: string): Promise<void> {
  const { contact_id } = orNotFound(await findSearch(tx, id))
  await lockContactsForShare(tx.unrestricted(), [contact_id])
  const messageId = await findWaiting(tx.unrestricted(), id)
  if (messageId !== undefined) await cancelUnsent(tx.unrestricted(), [messageId])
}

const details = ['name', 'criteria', 'frequency', 'active', 'paused_reason'] as const

/** Writes the changes and publishes their event. The caller must hold the search's lock. */
export async function changeSearch(
  tx: Tx,
  before: SavedSearch,
  patch: Partial<SavedSearch>,
): Promise<SavedSearch> {
  const patched = savedSearches.applyPatch(before, patch, tx.clock.now())
  if (patched === undefined) return before
  const { after, changed } = patched
  saveSearch(tx, before.id, changed)
  const changes = changesOf(savedSearches, details, before, after)
  if (changes.length > 0) await tx.emit(SavedSearchUpdated, { ...after, changes })
  return after
}
