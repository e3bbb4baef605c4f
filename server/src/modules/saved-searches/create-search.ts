import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { lockNamedForShare } from '../contacts/public.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { nextDigestAt } from './digest-times.ts'
import { SavedSearchLimit } from './errors.ts'
import { SavedSearchCreated } from './events.ts'
import { countSearchesOf, insertSearch } from './queries.ts'
import { type SavedSearch, type SavedSearchDraft, savedSearches } from './saved-search.ts'

/** The maximum number of saved searches per contact. */
export const maxSearches = 100

/**
 * Saves a search for a contact. Listings that are already on the market are not news to it. Throws 409 `contact_erased`
 * or `saved_search_limit`.
 */
export const createSearch = (ctx: Ctx, draft: SavedSearchDraft): Promise<SavedSearch> =>
  ctx.transaction(async (tx) => {
    const requireContact = await lockNamedForShare(tx, [['contact_id', draft.contact_id]])
    requireContact()
    if ((await countSearchesOf(tx, draft.contact_id)) >= maxSearches) throw SavedSearchLimit(maxSearches)
    const { timezone } = orNotFound(await findWorkspace(tx, tx.workspaceId))
    const { type, id } = ctx.actor
    const now = ctx.clock.now()
    const created = savedSearches.create(draft, now)
    const search = {
      ...created,
      next_at: created.active ? nextDigestAt(created, timezone, now).toISOString() : null,
      unsent_since: created.created_at,
      created_by: { type, id },
    }
    insertSearch(tx, search)
    await tx.emit(SavedSearchCreated, search)
    return search
  })
