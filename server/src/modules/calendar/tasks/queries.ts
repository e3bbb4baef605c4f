import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { lock } from '#kernel/db/lock.ts'
import { type Sql, empty, join, raw, sql } from '#kernel/db/sql.ts'
import { custom, equals, filters, oneOf } from '#kernel/http/filters.ts'
import { monthsOf, newestOf, utcOf } from '#kernel/http/newest-of.ts'
import type { Page } from '#kernel/http/paging.ts'
import { within } from '#kernel/reach.ts'
import { assignments } from '#kernel/records/columns.ts'
import { reference } from '#kernel/records/fields.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { type Task, taskStatuses, taskTypes, tasks } from './task.ts'

const { Row, columns } = tasks

const inReach = (db: Db) => within(db, sql`assignee_id`)

export const findTask = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from tasks
    where workspace_id = ${db.workspaceId} and id = ${id} and deleted_at is null ${inReach(db)}`

/** Includes deleted tasks. */
export const lockTask = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from tasks where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)} for update`

const due = (operator: Sql, description: string) => ({
  schema: Type.String({ ...Timestamp, description }),
  condition: (name: Sql, value: unknown) => sql`${name} ${operator} ${value}`,
  column: 'due_at',
})

export const taskFilters = filters({
  contact_id: equals(reference('contact', 'Return only tasks about this contact.')),
  deal_id: equals(reference('deal', 'Return only tasks of this deal.')),
  assignee_id: equals(reference('member', 'Return only tasks of this member.')),
  status: oneOf(Type.Enum(taskStatuses)),
  type: oneOf(Type.Enum(taskTypes)),
  due_after: due(sql`>=`, 'Return only tasks due at or after this time.'),
  due_before: due(sql`<`, 'Return only tasks due before this time.'),
  overdue: custom(
    Type.Boolean({
      description: 'Return only tasks that are open and past due, or only tasks that are not.',
    }),
  ),
})
type TaskQuery = Static<typeof taskFilters.query>

/** Newest first. */
export function listTasks(db: Db, query: TaskQuery, page: Page, now: Date) {
  const { contact_id, due_after: from, due_before: to, overdue } = query
  const late = sql`status = 'open' and due_at < ${now}`
  const isLate = overdue === true ? sql`and ${late}` : sql`and not coalesce(${late}, false)`
  const where = sql`${taskFilters.where(query)} ${overdue === undefined ? empty : isLate}`
  const series = {
    table: 'tasks',
    owner: 'assignee_id',
    rows: sql`and deleted_at is null`,
    where,
    months: monthsOf('due_month', utcOf(from), utcOf(to)),
  }
  return db.many(Row)`
    select ${columns} from tasks
    where workspace_id = ${db.workspaceId} and deleted_at is null ${inReach(db)} ${where}
      ${contact_id === undefined ? newestOf(db, page, series) : empty} ${page.keyset()}`
}

/** Tasks that are due within the range and not cancelled, in chronological order. */
export const listTasksWithin = (
  db: Db,
  { from, to }: { from: Date; to: Date },
  assigneeId: string | undefined,
  limit: number,
) =>
  db.many(Row)`
    select ${columns} from tasks
    where workspace_id = ${db.workspaceId} ${inReach(db)} and deleted_at is null and due_at >= ${from} and due_at < ${to}
      and status <> 'cancelled' ${assigneeId === undefined ? empty : sql`and assignee_id = ${assigneeId}`}
    order by due_at, id limit ${limit}`

/** Serializes the creation of identical tasks. */
export const lockFingerprint = (tx: WorkspaceTx, fingerprint: string): void => lock(tx, `task ${fingerprint}`)

const IdRow = Type.Object({ id: Type.String() })

/** Matches a task with this fingerprint that was created at most `ms` milliseconds before or after this one. */
const isKnown = (
  { workspaceId }: WorkspaceTx,
  fingerprint: string,
  { created_at }: Task,
  ms: number,
): Sql => {
  const [from, to] = [-ms, ms].map((by) => new Date(Date.parse(created_at) + by))
  return sql`workspace_id = ${workspaceId} and fingerprint = ${fingerprint} and deleted_at is null
      and created_at >= ${from} and created_at <= ${to}`
}

/**
 * Inserts the task unless an identical one exists. Returns whether it did. The caller must hold the fingerprint's lock.
 */
export async function insertUnlessKnown(
  tx: WorkspaceTx,
  row: Task,
  fingerprint: string,
  ms: number,
): Promise<boolean> {
  const stored = Object.entries({ workspace_id: tx.workspaceId, ...row, fingerprint })
  const inserted = await tx.maybeOne(IdRow)`
    insert into tasks (${raw(stored.map(([name]) => name).join(', '))})
    select ${join(stored.map(([, value]) => value))}
    where not exists (select from tasks where ${isKnown(tx, fingerprint, row, ms)})
    returning id`
  return inserted !== undefined
}

/** The earliest task that is identical to this one. */
export const findKnown = (tx: WorkspaceTx, row: Task, fingerprint: string, ms: number) =>
  tx.one(Row)`
    select ${columns} from tasks where ${isKnown(tx, fingerprint, row, ms)} ${inReach(tx)}
    order by created_at, id limit 1`

/** Writes the changed columns. The caller must hold the row lock. */
export const saveTask = (tx: WorkspaceTx, id: string, changed: Partial<Task>): void =>
  tx.write`
    update tasks set ${assignments(changed)}
    where workspace_id = ${tx.workspaceId} and id = ${id} ${inReach(tx)}`

/** Erases the tasks of a contact, including deleted ones. Returns their IDs. */
export const eraseTasksOf = async (tx: Db, contactId: string, erased: Partial<Task>): Promise<string[]> => {
  const rows = await tx.many(IdRow)`
    update tasks set ${assignments(erased)}, fingerprint = null
    where workspace_id = ${tx.workspaceId} and contact_id = ${contactId} ${inReach(tx)} returning id`
  return rows.map(({ id }) => id)
}
