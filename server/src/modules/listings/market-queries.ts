import type { Db } from '#kernel/db/handles.ts'
import { type Selection, newestOfSlice } from '#kernel/db/slice.ts'
import { empty, sql } from '#kernel/db/sql.ts'
import { type Listing, listings } from './listing.ts'

const { Row, columns } = listings

const perRead = 200

/**
 * Active listings, newest first, fetched in batches. `before` continues below an ID; `newsSince` limits the result to
 * listings that were new, back on the market, or cheaper after that time.
 */
export async function* listingsOnMarket(
  db: Db,
  {
    before = null,
    newsSince,
    selection,
  }: { before?: string | null; newsSince?: string; selection?: Selection } = {},
): AsyncGenerator<Listing> {
  for (let last = before; ;) {
    const some = await db.many(Row)`
      select ${columns} from listings
      where workspace_id = ${db.workspaceId} and status = 'active' and deleted_at is null
        ${newsSince === undefined ? empty : sql`and news_at > ${newsSince}`}
        ${newestOfSlice({ before: last, limit: perRead, ...(selection && { selection }) })}`
    yield* some
    last = some.at(-1)?.id ?? null
    if (some.length < perRead) return
  }
}
