import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { findWorkspace } from '../workspaces/public.ts'
import { nextDigestAt } from './digest-times.ts'
import { listDueSearches, lockSearch, saveSearch } from './queries.ts'

const perRead = 500

/** IDs of searches whose digest was due before a time. */
export async function listOverdueSearches({ db }: Ctx, before: Date): Promise<string[]> {
  const all: string[] = []
  for (let ids = await listDueSearches(db, before, '', perRead); ids.length > 0;) {
    all.push(...ids)
    ids = await listDueSearches(db, before, ids.at(-1) ?? '', perRead)
  }
  return all
}

/** Skips the digests that were due before a time. The next ones begin with what is new from now on. Returns how many. */
export async function skipDigests(ctx: Ctx, before: Date): Promise<number> {
  const { timezone } = orNotFound(await findWorkspace(ctx.directory, ctx.workspaceId))
  let skipped = 0
  for (const id of await listOverdueSearches(ctx, before)) {
    const isSkipped = await ctx.transaction(async (tx) => {
      const search = await lockSearch(tx, id)
      if (search === undefined || search.next_at === null || new Date(search.next_at) > before) return false
      const now = tx.clock.now()
      saveSearch(tx, id, {
        next_at: nextDigestAt(search, timezone, now).toISOString(),
        unsent_since: now.toISOString(),
      })
      return true
    })
    if (isSkipped) skipped++
  }
  return skipped
}
