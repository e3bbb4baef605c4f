import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, raw, sql } from '#kernel/db/sql.ts'
import { equals, filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { values } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import { findReachable } from '../../contacts/public.ts'
import { AutomationEntry, entryOutcomes } from './entry.ts'

/** Limits a query to entries of contacts in reach. */
function inReach(db: Db): Sql {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

const columns = raw(Object.keys(AutomationEntry.properties).join(', '))

export const insertEntry = (tx: WorkspaceTx, { triggers, ...entry }: AutomationEntry): void =>
  tx.write`
    insert into automation_entries
    ${values({ workspace_id: tx.workspaceId, ...entry, triggers: JSON.stringify(triggers) })}`

export const entryFilters = filters({
  outcome: oneOf(Type.Enum(entryOutcomes)),
  contact_id: equals(reference('contact', 'Return only entries of this contact.')),
})

/** Newest first. */
export const listEntries = (
  db: Db,
  automationId: string,
  query: Static<typeof entryFilters.query>,
  page: Page,
) =>
  db.many(AutomationEntry)`
    select ${columns} from automation_entries
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} ${inReach(db)}
      ${entryFilters.where(query)} ${page.keyset()}`

/** Removes what entries say about an erased contact. The outcomes stay. */
export const eraseEntries = (tx: WorkspaceTx, contactId: string): void =>
  tx.write`
    update automation_entries set triggers = '[]'
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} ${inReach(tx)}`

/** Deletes at most `limit` entries from before then. Returns how many. */
export const deleteEntriesBefore = (tx: WorkspaceTx, before: Date, limit: number): Promise<number> =>
  tx.run`
    delete from automation_entries where workspace_id = ${tx.workspaceId} ${inReach(tx)} and id in (
      select id from automation_entries
      where workspace_id = ${tx.workspaceId} and id < ${firstIdAt(before.getTime())} ${inReach(tx)}
      order by id limit ${limit})`
