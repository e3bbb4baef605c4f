import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { type AutomationChange, changeRecord, changeStatuses } from './change.ts'

const { Row, columns } = changeRecord

export const findChange = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from automation_changes where workspace_id = ${db.workspaceId} and id = ${id}`

/** The change in progress that has waited longest for the engine. */
export const findNextChange = (db: Db) =>
  db.maybeOne(Row)`
    select ${columns} from automation_changes
    where workspace_id = ${db.workspaceId} and status = 'running' order by updated_at, id limit 1`

export const lockChange = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from automation_changes where workspace_id = ${tx.workspaceId} and id = ${id} for update`

export const changeFilters = filters({ status: oneOf(Type.Enum(changeStatuses)) })

export const listChanges = (
  db: Db,
  automationId: string,
  query: Static<typeof changeFilters.query>,
  page: Page,
) =>
  db.many(Row)`
    select ${columns} from automation_changes
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId}
      ${changeFilters.where(query)} ${page.keyset()}`

/** Locks and returns the changes of an automation that are in progress. */
export const lockRunningChanges = (tx: Db, automationId: string) =>
  tx.many(Row)`
    select ${columns} from automation_changes
    where workspace_id = ${tx.workspaceId} and automation_id = ${automationId} and status = 'running'
    order by id for update`

/** Passes the list for the `json` column as text. A JavaScript array would become a PostgreSQL array. */
const written = ({ left_out, ...rest }: Partial<AutomationChange>): object => ({
  ...rest,
  ...(left_out && { left_out: JSON.stringify(left_out) }),
})

export const insertChange = (tx: WorkspaceTx, row: AutomationChange): void =>
  tx.write`insert into automation_changes ${values({ workspace_id: tx.workspaceId, ...written(row) })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveChange = (tx: WorkspaceTx, id: string, changed: Partial<AutomationChange>): void =>
  tx.write`
    update automation_changes set ${assignments(written(changed))}
    where workspace_id = ${tx.workspaceId} and id = ${id}`
