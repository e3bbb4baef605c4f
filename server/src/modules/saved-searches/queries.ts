import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { equals, filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import { findReachable } from '../contacts/public.ts'
import { type SavedSearch, frequencies, savedSearches } from './saved-search.ts'

const { Row, columns } = savedSearches

/** Limits searches to those of contacts within reach. */
function inReach(db: Db): Sql {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

export const findSearch = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from saved_searches where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

export const lockSearch = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from saved_searches
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

export const savedSearchFilters = filters({
  contact_id: equals(reference('contact', 'Return only saved searches of this contact.')),
  active: equals(
    Type.Boolean({ description: 'Return only searches that are active, or only searches that are paused.' }),
  ),
  frequency: oneOf(Type.Enum(frequencies)),
})

export const listSearches = (db: Db, query: Static<typeof savedSearchFilters.query>, page: Page) =>
  db.many(Row)`
    select ${columns} from saved_searches
    where workspace_id = ${db.workspaceId} ${inReach(db)} ${savedSearchFilters.where(query)} ${page.keyset()}`

const CountRow = Type.Object({ count: Type.Integer() })

/** The number of searches of a contact. Takes a lock that serializes adding more. */
export const countSearchesOf = async (tx: WorkspaceTx, contactId: string): Promise<number> => {
  lock(tx, `saved searches ${contactId}`)
  const { count } = await tx.one(CountRow)`
    select count(*)::integer as count from saved_searches
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} ${inReach(tx)}`
  return count
}

export const insertSearch = (tx: WorkspaceTx, row: SavedSearch): void =>
  tx.write`insert into saved_searches ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Writes the changed columns. The caller must hold the row lock. */
export const saveSearch = (tx: WorkspaceTx, id: string, changed: Partial<SavedSearch>): void =>
  tx.write`
    update saved_searches set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

/**
 * Postpones the next digest unless `next_at` has changed in the meantime. Does not change the version of the search.
 */
export const postponeSearch = (tx: WorkspaceTx, { id, next_at }: SavedSearch, at: Date): void =>
  tx.write`
    update saved_searches set next_at = ${at}
    where workspace_id = ${tx.workspaceId} and id = ${id} and next_at = ${next_at}`

const IdRow = Type.Object({ id: Type.String() })

/** IDs of searches whose digest is due, in ID order after the given one. */
export const listDueSearches = async (db: Db, at: Date, after: string, limit: number): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from saved_searches
    where workspace_id = ${db.workspaceId} and next_at <= ${at} and id > ${after} order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** Deletes a search and its digests. The caller must hold the row lock. */
export function deleteSearch(tx: WorkspaceTx, id: string): void {
  tx.write`delete from saved_search_digests where workspace_id = ${tx.workspaceId} and search_id = ${id}`
  tx.write`delete from saved_searches where workspace_id = ${tx.workspaceId} and id = ${id}`
}

/** Locks the searches of a contact in ID order, and returns their IDs. */
export const lockSearchesOf = async (tx: Db, contactId: string): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    select id from saved_searches where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} ${inReach(tx)}
    order by id for update`
  return rows.map(({ id }) => id)
}
