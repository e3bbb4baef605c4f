import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, raw, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { newId } from '#kernel/ids.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { findReachable } from '../contacts/public.ts'
import { type Automation, automationRecord } from './automation.ts'
import { listensTo } from './definition/listens-to.ts'
import { AutomationVersion } from './version.ts'

const { Row, columns } = automationRecord

export const findAutomation = (db: Db, id: string) =>
  db.maybeOne(Row)`select ${columns} from automations where workspace_id = ${db.workspaceId} and id = ${id}`

/** Locks an automation. Excludes those of campaigns, which change only through their campaign. */
export const lockAutomation = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from automations
    where workspace_id = ${tx.workspaceId} and id = ${id} and kind = 'automation' for update`

/** Locks an automation of any kind, including one of a campaign. */
export const lockAutomationOfAny = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from automations where workspace_id = ${tx.workspaceId} and id = ${id} for update`

/** Finds an automation. Excludes those of campaigns. */
export const findAutomationOfOwn = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from automations
    where workspace_id = ${db.workspaceId} and id = ${id} and kind = 'automation'`

/** Locks an automation for share, so that it cannot be disabled until the transaction ends. */
export const lockAutomationForShare = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from automations where workspace_id = ${tx.workspaceId} and id = ${id} for share`

/** The same for several automations, in ID order. */
export const lockAutomationsForShare = (tx: Db, ids: readonly string[]) =>
  tx.many(Row)`
    select ${columns} from automations
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) order by id for share`

export const automationFilters = filters({
  enabled: equals(
    Type.Boolean({ description: 'Return only automations that can, or cannot, enroll contacts.' }),
  ),
  archived: custom(
    Type.Boolean({
      description:
        '`true` returns only archived automations. By default, only automations that are not archived.',
    }),
  ),
})

export const listAutomations = (db: Db, query: Static<typeof automationFilters.query>, page: Page) =>
  db.many(Row)`
    select ${columns} from automations
    where workspace_id = ${db.workspaceId} and kind = 'automation'
      and (archived_at is null) = ${query.archived !== true} ${automationFilters.where(query)} ${page.keyset()}`

/** The newest 1,000 automations of the workspace: those that are not archived, or those that are. */
export const listAllAutomations = (db: Db, archived = false) =>
  db.many(Row)`
    select ${columns} from automations
    where workspace_id = ${db.workspaceId} and kind = 'automation' and (archived_at is null) = ${!archived}
    order by id desc limit 1000`

/** Automations whose published version any of these events can start, enabled or not, oldest first. Excludes archived ones. */
export const listTriggered = (db: Db, events: readonly string[]) =>
  db.many(Row)`
    select ${columns} from automations
    where workspace_id = ${db.workspaceId} and trigger_events && ${events}::text[] and archived_at is null order by id`

const EventsRow = Type.Object({ events: Type.Array(Type.String()) })

/** The names of the events that can start an automation. */
export const listTriggers = async (db: Db): Promise<ReadonlySet<string>> => {
  const { events } = await db.one(EventsRow)`
    select array(select distinct unnest(trigger_events) from automations
      where workspace_id = ${db.workspaceId} and archived_at is null) as events`
  return new Set(events)
}

export const insertAutomation = (tx: WorkspaceTx, row: Automation): void =>
  tx.write`insert into automations ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveAutomation = (tx: WorkspaceTx, id: string, changed: Partial<Automation>): void =>
  tx.write`update automations set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

export const insertVersion = (tx: WorkspaceTx, version: Omit<AutomationVersion, 'id'>): void =>
  tx.write`
    insert into automation_versions
    ${values({
      workspace_id: tx.workspaceId,
      id: newId(new Date(version.created_at)),
      ...version,
      listens_to: listensTo(version.definition),
    })}`

const versionColumns = raw(Object.keys(AutomationVersion.properties).join(', '))

export const findVersion = (db: Db, automationId: string, version: number) =>
  db.maybeOne(AutomationVersion)`
    select ${versionColumns} from automation_versions
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} and version = ${version}`

export const versionFilters = filters({
  version: equals(
    Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Return only this version.' }),
  ),
})

/** The versions of an automation, newest first. */
export const listVersions = (
  db: Db,
  automationId: string,
  query: Static<typeof versionFilters.query>,
  page: Page,
) =>
  db.many(AutomationVersion)`
    select ${versionColumns} from automation_versions
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId}
      ${versionFilters.where(query)} ${page.keyset()}`

/** Limits a query to enrollments of contacts in reach. */
function inReach(db: Db): Sql {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

const ActiveCountRow = Type.Object({
  version: Type.Integer(),
  status: Type.Enum(['queued', 'running', 'paused']),
  count: Type.Integer(),
})

/** Counts an automation's active enrollments by version and status. */
export const countActive = (db: Db, automationId: string) =>
  db.many(ActiveCountRow)`
    select version, status, count(*)::integer as count from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} and status in ('queued', 'running', 'paused') ${inReach(db)}
    group by version, status order by version`
