import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { filters, oneOf } from '#kernel/http/filters.ts'
import type { Page } from '#kernel/http/paging.ts'
import { assignments, values } from '#kernel/records/columns.ts'
import { findReachable } from '../contacts/public.ts'
import {
  type Backfill,
  type BackfillContact,
  BackfillContactRow,
  type BackfillCounts,
  backfillRecord,
  backfillStatuses,
  decisions,
} from './backfill.ts'

const { Row, columns } = backfillRecord

export const findBackfill = (db: Db, id: string) =>
  db.maybeOne(Row)`select ${columns} from backfills where workspace_id = ${db.workspaceId} and id = ${id}`

export const lockBackfill = (tx: Db, id: string) =>
  tx.maybeOne(Row)`
    select ${columns} from backfills where workspace_id = ${tx.workspaceId} and id = ${id} for update`

export const backfillFilters = filters({ status: oneOf(Type.Enum(backfillStatuses)) })

export const listBackfills = (
  db: Db,
  automationId: string,
  query: Static<typeof backfillFilters.query>,
  page: Page,
) =>
  db.many(Row)`
    select ${columns} from backfills
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} ${backfillFilters.where(query)}
      ${page.keyset()}`

export const insertBackfill = (tx: WorkspaceTx, row: Backfill): void =>
  tx.write`insert into backfills ${values({ workspace_id: tx.workspaceId, ...row })}`

/** Writes the changed columns. The caller holds the row's lock. */
export const saveBackfill = (tx: WorkspaceTx, id: string, changed: Partial<Backfill>): void =>
  tx.write`update backfills set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Backfills that are due for the engine, the longest waiting first. The run of a campaign waits for the change of its enrollments. */
export const listDueBackfills = (db: Db, at: Date, limit: number) =>
  db.many(Row)`
    select ${columns} from backfills
    where workspace_id = ${db.workspaceId} and next_at <= ${at} and not exists (
      select from automation_changes
      where workspace_id = ${db.workspaceId} and automation_id = backfills.id and status = 'running')
    order by next_at, id limit ${limit}`

const NextRow = Type.Object({ next_at: Type.String() })

/** When the next backfill is due for the engine. */
export const findNextBackfill = async (db: Db): Promise<string | null> => {
  const row = await db.maybeOne(NextRow)`
    select next_at from backfills
    where workspace_id = ${db.workspaceId} and next_at is not null
    order by next_at limit 1`
  return row?.next_at ?? null
}

/** Limits a query to contacts in reach. */
function inReach(db: Db): Sql {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

export interface FrozenContact {
  id: string
  contactId: string
  point: string | null
  reason: string | null
}

/** Adds contacts to a backfill: waiting, or left out for a reason. Skips contacts who are already in it. */
export const insertBackfillContacts = (
  tx: WorkspaceTx,
  backfillId: string,
  contacts: readonly FrozenContact[],
  at: Date,
): void =>
  tx.write`
    insert into backfill_contacts
      (workspace_id, id, backfill_id, contact_id, point, status, reason, due_at, decided_at, created_at)
    select ${tx.workspaceId}, id, ${backfillId}, contact_id, point,
      case when reason is null then 'waiting' else 'left_out' end, reason,
      case when reason is null then ${at}::timestamptz end, case when reason is not null then ${at}::timestamptz end, ${at}
    from unnest(
      ${contacts.map(({ id }) => id)}::text[], ${contacts.map(({ contactId }) => contactId)}::text[],
      ${contacts.map(({ point }) => point)}::text[], ${contacts.map(({ reason }) => reason)}::text[])
      as given (id, contact_id, point, reason)
    on conflict (workspace_id, backfill_id, contact_id) do nothing`

const PointRow = Type.Object({ point: Type.String() })

/** Returns the keyed numbers or addresses that are already in their backfill. The backfill is part of the key. */
export const listKnownPoints = async (db: Db, points: readonly string[]) => {
  const rows = await db.many(PointRow)`
    select known.point from unnest(${points}::text[]) as sought (point), lateral (
      select point from backfill_contacts
      where workspace_id = ${db.workspaceId} and point = sought.point collate "C" ${inReach(db)} offset 0) as known`
  return new Set(rows.map(({ point }) => point))
}

/** The contacts to enroll next. */
export const listWaitingContacts = (db: Db, backfillId: string, at: Date, limit: number) =>
  db.many(BackfillContactRow)`
    select id, contact_id, status, reason, created_at, enrollment_id, due_at, decided_at from backfill_contacts
    where workspace_id = ${db.workspaceId} and backfill_id = ${backfillId} and status = 'waiting' and due_at <= ${at}
      ${inReach(db)}
    order by due_at, id limit ${limit}`

const DueRow = Type.Object({ due_at: Type.String() })

/** When the next contact may enter; undefined if none is waiting. */
export const findNextContact = async (db: Db, backfillId: string): Promise<string | undefined> => {
  const row = await db.maybeOne(DueRow)`
    select due_at from backfill_contacts
    where workspace_id = ${db.workspaceId} and backfill_id = ${backfillId} and status = 'waiting' ${inReach(db)}
    order by due_at limit 1`
  return row?.due_at
}

const WaitingRow = Type.Object({ point: Type.Union([Type.String(), Type.Null()]) })

/** Locks a waiting contact; undefined if the contact no longer waits. */
export const lockWaiting = (tx: Db, id: string) =>
  tx.maybeOne(WaitingRow)`
    select point from backfill_contacts
    where workspace_id = ${tx.workspaceId} and id = ${id} and status = 'waiting' ${inReach(tx)} for update`

/** Writes the outcome for a contact. The caller holds the row's lock. */
export const saveBackfillContact = (
  tx: WorkspaceTx,
  id: string,
  changed: Partial<BackfillContact> & { point?: string | null },
): void =>
  tx.write`
    update backfill_contacts set ${assignments(changed)} where workspace_id = ${tx.workspaceId} and id = ${id}`

/** Postpones waiting contacts, each until its own time. */
export const postponeContacts = (tx: WorkspaceTx, until: readonly { id: string; at: Date }[]): void =>
  tx.write`
    update backfill_contacts set due_at = later.at
    from unnest(${until.map(({ id }) => id)}::text[], ${until.map(({ at }) => at.toISOString())}::timestamptz[])
      as later (id, at)
    where workspace_id = ${tx.workspaceId} and backfill_contacts.id = later.id collate "C" and status = 'waiting'`

/**
 * Leaves out at most `limit` waiting contacts. Returns how many. The IDs are an array, so PostgreSQL looks up the rows by key, however
 * large the table is.
 */
export const leaveOutWaiting = (
  tx: WorkspaceTx,
  backfillId: string,
  reason: string,
  at: Date,
  limit: number,
) =>
  tx.run`
    update backfill_contacts set status = 'left_out', reason = ${reason}, due_at = null, decided_at = ${at}
    where workspace_id = ${tx.workspaceId} and id = any (array(
      select id from backfill_contacts
      where workspace_id = ${tx.workspaceId} and backfill_id = ${backfillId} and status = 'waiting' limit ${limit}))`

/** Removes the keyed number or address of an erased contact. The caller holds the contact's lock. */
export const eraseBackfillContact = (tx: WorkspaceTx, contactId: string): void =>
  tx.write`
    update backfill_contacts set point = null where workspace_id = ${tx.workspaceId} and contact_id = ${contactId}`

const CountRow = Type.Object({
  backfill_id: Type.String(),
  status: Type.Enum(decisions),
  reason: Type.Union([Type.String(), Type.Null()]),
  count: Type.Integer(),
})

/** The progress of each backfill, counted from its contacts. */
export async function countBackfills(
  db: Db,
  ids: readonly string[],
): Promise<(id: string) => BackfillCounts> {
  const rows = await db.many(CountRow)`
    select backfill_id, status, null as reason, count(*)::integer as count from backfill_contacts
    where workspace_id = ${db.workspaceId} and backfill_id = any (${ids}::text[]) and status <> 'left_out' ${inReach(db)}
    group by backfill_id, status
    union all
    select backfill_id, 'left_out', reason, count(*)::integer from backfill_contacts
    where workspace_id = ${db.workspaceId} and backfill_id = any (${ids}::text[]) and status = 'left_out' ${inReach(db)}
    group by backfill_id, reason order by backfill_id, reason`
  const of = Map.groupBy(rows, ({ backfill_id }) => backfill_id)
  return (id) => {
    const own = of.get(id) ?? []
    const first = (status: string) => own.find((row) => row.status === status)?.count ?? 0
    const left = own.flatMap(({ reason, count }) => (reason === null ? [] : [[reason, count] as const]))
    return { waiting: first('waiting'), entered: first('entered'), left_out: Object.fromEntries(left) }
  }
}

export const backfillContactFilters = filters({ status: oneOf(Type.Enum(decisions)) })

/** The contacts of a backfill, newest first. */
export const listBackfillContacts = (
  db: Db,
  backfillId: string,
  query: Static<typeof backfillContactFilters.query>,
  page: Page,
) =>
  db.many(BackfillContactRow)`
    select id, contact_id, status, reason, created_at, enrollment_id, due_at, decided_at from backfill_contacts
    where workspace_id = ${db.workspaceId} and backfill_id = ${backfillId} ${inReach(db)}
      ${backfillContactFilters.where(query)} ${page.keyset()}`

/** IDs of running backfills of automations. */
export const listRunningBackfills = async (db: Db): Promise<string[]> => {
  const rows = await db.many(Type.Object({ id: Type.String() }))`
    select id from backfills
    where workspace_id = ${db.workspaceId} and status = 'running' and channel is null order by id`
  return rows.map(({ id }) => id)
}
