import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, raw, sql } from '#kernel/db/sql.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { equals, filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import { keysOf } from '../automations/public.ts'
import { findReachable } from '../contacts/public.ts'
import {
  type Enrollment,
  type StepRecord,
  StepRow,
  type changeActions,
  enrollmentRecord,
  enrollmentStatuses,
  pausedByDisabling,
  pausedByRun,
} from './enrollment.ts'

const { Row, columns } = enrollmentRecord

/** Limits a query to enrollments of contacts in reach. */
function inReach(db: Db): Sql {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

const isActive = sql`status in ('queued', 'running', 'paused')`
const moves = sql`status in ('queued', 'running')`

export const findEnrollment = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from enrollments where workspace_id = ${db.workspaceId} and id = ${id} ${inReach(db)}`

export const lockEnrollment = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from enrollments
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

export const enrollmentFilters = filters({
  status: oneOf(Type.Enum(enrollmentStatuses)),
})
export const enrollmentInFilters = filters({
  status: oneOf(Type.Enum(enrollmentStatuses)),
  contact_id: equals(reference('contact', 'Return only enrollments of this contact.')),
})
type EnrollmentFilters = Static<typeof enrollmentFilters.query>

export const listEnrollmentsIn = (
  db: Db,
  automationId: string,
  query: Static<typeof enrollmentInFilters.query>,
  page: Page,
) =>
  db.many(Row)`
    select ${columns} from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} ${inReach(db)}
      ${enrollmentInFilters.where(query)} ${page.keyset()}`

export const listEnrollmentsOf = (db: Db, contactId: string, query: EnrollmentFilters, page: Page) =>
  db.many(Row)`
    select ${columns} from enrollments
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} ${inReach(db)}
      ${enrollmentFilters.where(query)} ${page.keyset()}`

export const findActive = (db: Db, automationId: string, contactId: string) =>
  db.maybeOne(Row)`
    select ${columns} from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} and contact_id = ${contactId}
      and ${isActive} ${inReach(db)}`

/** Adds an enrollment, unless the contact is already active in the automation or in its exclusive group. Returns whether it did. */
export const insertEnrollment = async (tx: WorkspaceTx, row: Enrollment): Promise<boolean> =>
  (await tx.run`
    insert into enrollments ${values({ workspace_id: tx.workspaceId, ...row })}
    on conflict do nothing`) === 1

/** Writes the changed columns. The caller holds the row's lock. */
export const saveEnrollment = (tx: WorkspaceTx, id: string, changed: Partial<Enrollment>): void =>
  tx.write`
    update enrollments set ${assignments(changed)}
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)}`

/** Locks and returns a contact's active enrollments, in ID order. */
export const lockActiveOf = (tx: Db, contactId: string) =>
  tx.many(Row)`
    select ${columns} from enrollments
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and ${isActive} ${inReach(tx)}
    order by id for update`

/** Locks and returns all enrollments of a contact, in ID order. */
export const lockAllOf = (tx: Db, contactId: string) =>
  tx.many(Row)`
    select ${columns} from enrollments
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} ${inReach(tx)} order by id for update`

/** The contact's active enrollment in an exclusive group. */
export const findInGroup = (db: Db, group: string, contactId: string) =>
  db.maybeOne(Row)`
    select ${columns} from enrollments
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} and group_name = ${group} and ${isActive}
      ${inReach(db)}`

/** The active enrollment that waits for the outcome of this message. */
export const findSending = (db: Db, contactId: string, messageId: string) =>
  db.maybeOne(Row)`
    select ${columns} from enrollments
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} and ${isActive} ${inReach(db)}
      and waiting_for -> 'refs' ->> 'message_id' = ${messageId}
    order by id limit 1`

const CountRow = Type.Object({ count: Type.Integer() })

/** How many times triggers have enrolled a contact since then, in any automation. */
export const countTriggered = async (db: Db, contactId: string, since: Date): Promise<number> => {
  const { count } = await db.one(CountRow)`
    select count(*)::integer as count from enrollments
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} and id >= ${firstIdAt(since.getTime())}
      and source = 'trigger' ${inReach(db)}`
  return count
}

const BeginningRow = Type.Object({ begins_at: Type.String() })

/** When an enrollment by a trigger begins or began, `but` places before the automation's latest one. */
export const findBeginning = async (db: Db, automationId: string, but: number) =>
  (
    await db.maybeOne(BeginningRow)`
      select begins_at from enrollments
      where workspace_id = ${db.workspaceId} and automation_id = ${automationId} and begins_at is not null ${inReach(db)}
      order by begins_at desc offset ${but} limit 1`
  )?.begins_at

const LastRow = Type.Object({ created_at: Type.String() })

/** The last enrollment of a contact in an automation, active or not. */
export const findLastEnrollment = (db: Db, automationId: string, contactId: string) =>
  db.maybeOne(LastRow)`
    select created_at from enrollments
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} and automation_id = ${automationId} ${inReach(db)}
    order by id desc limit 1`

/** Selects the active enrollments that a bulk change applies to. */
const concernedBy = ({ action, version }: Omit<Concerned, 'automation_id'>): Sql =>
  ({
    pause: moves,
    resume: sql`reason in (${pausedByDisabling}, ${pausedByRun}) and status = 'paused'`,
    cancel: isActive,
    migrate: sql`version <> ${version ?? 0}`,
  })[action]

/**
 * The active enrollments of an automation, or of the run of a campaign, that a bulk change applies to. A resumption leaves those paused that
 * were paused individually.
 */
export interface Concerned {
  automation_id: string
  action: (typeof changeActions)[number]
  version: number | null
}

export const countConcerned = async (db: Db, change: Concerned): Promise<number> => {
  const { count } = await db.one(CountRow)`
    select count(*)::integer as count from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${change.automation_id} and ${isActive}
      and ${concernedBy(change)} ${inReach(db)}`
  return count
}

const ConcernedRow = Type.Object({ id: Type.String(), contact_id: Type.String() })

/**
 * The next enrollments that a bulk change applies to, ordered by contact; a contact has at most one. `isSending`: only enrollments that
 * wait for a message to be sent.
 */
export const listConcerned = (
  db: Db,
  change: Concerned & { after: string },
  { limit, isSending = false }: { limit: number; isSending?: boolean },
) =>
  db.many(ConcernedRow)`
    select id, contact_id from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${change.automation_id} and ${isActive}
      and contact_id > ${change.after} and ${concernedBy(change)}
      ${isSending ? sql` and status = 'running' and waiting_for ->> 'kind' = 'message'` : empty} ${inReach(db)}
    order by contact_id limit ${limit}`

/** Locks and returns the enrollments that the change still applies to. */
export const lockConcerned = (tx: Db, change: Concerned, ids: readonly string[]) =>
  tx.many(Row)`
    select ${columns} from enrollments
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) and ${isActive} and ${concernedBy(change)}
      ${inReach(tx)}
    order by id for update`

const IdRow = Type.Object({ id: Type.String() })

/** Whether any contact is enrolled in an automation. */
export const hasActive = async (db: Db, automationId: string): Promise<boolean> => {
  const row = await db.maybeOne(IdRow)`
    select id from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} and ${isActive} ${inReach(db)} limit 1`
  return row !== undefined
}

/** Returns only the IDs of enrollments in reach. */
export const listReachable = async (db: Db, ids: readonly string[]): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from enrollments
    where workspace_id = ${db.workspaceId} and id = any (${ids}::text[]) ${inReach(db)}`
  return rows.map(({ id }) => id)
}

/** What `setConcern` has set last. */
export const currentConcern = raw(`current_setting('gable.concern')::jsonb`)

/**
 * Sets for the rest of the transaction whether an event of a contact can start an automation (`is_trigger`), and which of the contact's
 * enrollments listen to it (`enrollment_ids`). A later statement of the same round trip can use it, though it is about a queue.
 */
export const setConcern = (tx: WorkspaceTx, event: JournalRow, contactId: string): void =>
  tx.write`
    select set_config('gable.concern', jsonb_build_object('is_trigger', exists (
      select from automations
      where workspace_id = ${tx.workspaceId} and ${event.name} = any (trigger_events) and archived_at is null
    ), 'enrollment_ids', array(
      select id from enrollments, lateral (
        select listens_to from automation_versions
        where workspace_id = ${tx.workspaceId} and automation_id = enrollments.automation_id
          and version = enrollments.version offset 0) as version
      where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} and ${isActive} ${inReach(tx)}
        and listens_to && ${keysOf(event)}::text[]
    ))::text, true)`

export const insertEnrollmentStep = (tx: WorkspaceTx, enrollmentId: string, step: StepRecord): void =>
  tx.write`
    insert into enrollment_steps ${values({ workspace_id: tx.workspaceId, enrollment_id: enrollmentId, ...step })}`

/** Updates the outcome of a recorded step. */
export const settleStep = (
  tx: WorkspaceTx,
  enrollmentId: string,
  seq: number,
  { outcome, reason }: Pick<StepRecord, 'outcome' | 'reason'>,
): void =>
  tx.write`
    update enrollment_steps set outcome = ${outcome}, reason = ${reason}
    where workspace_id = ${tx.workspaceId} and enrollment_id = ${enrollmentId} and seq = ${seq}
      and enrollment_id in (select id from enrollments where workspace_id = ${tx.workspaceId} ${inReach(tx)})`

export const listSteps = (db: Db, enrollmentId: string) =>
  db.many(StepRow)`
    select seq, step_key, type, planned_at, at, outcome, reason, refs from enrollment_steps
    where workspace_id = ${db.workspaceId} and enrollment_id = ${enrollmentId}
      and enrollment_id in (select id from enrollments where workspace_id = ${db.workspaceId} ${inReach(db)})
    order by seq limit 1000`

const DueRow = Type.Object({ contact_id: Type.String(), due_at: Type.String() })

/** Contacts with due enrollments, the longest overdue first. */
export const listDueContacts = (db: Db, at: Date, limit: number) =>
  db.many(DueRow)`
    select contact_id, due_at from enrollments
    where workspace_id = ${db.workspaceId} and ${moves} and due_at <= ${at} ${inReach(db)}
    order by due_at, id limit ${limit}`

/**
 * IDs of enrollments that would go on with what was due or asked for before a time: they are overdue, or wait for a message to
 * leave or for the response of a webhook or the AI. In ID order, after an ID.
 */
export const listUnderWayBefore = async (
  db: Db,
  at: Date,
  after: string,
  limit: number,
): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from enrollments
    where workspace_id = ${db.workspaceId} and ${moves} and id > ${after} ${inReach(db)}
      and (due_at <= ${at} or waiting_for ->> 'kind' in ('message', 'response'))
    order by id limit ${limit}`
  return rows.map(({ id }) => id)
}

/** IDs of a contact's due enrollments. */
export const listDueOf = async (db: Db, contactId: string, at: Date): Promise<string[]> => {
  const rows = await db.many(IdRow)`
    select id from enrollments
    where workspace_id = ${db.workspaceId} and contact_id = ${contactId} and ${moves} and due_at <= ${at} ${inReach(db)}
    order by id`
  return rows.map(({ id }) => id)
}

const NextRow = Type.Object({ due_at: Type.String() })

/** When the next enrollment is due. */
export const findNextDue = async (db: Db): Promise<string | null> => {
  const row = await db.maybeOne(NextRow)`
    select due_at from enrollments
    where workspace_id = ${db.workspaceId} and ${moves} and due_at is not null ${inReach(db)}
    order by due_at limit 1`
  return row?.due_at ?? null
}
