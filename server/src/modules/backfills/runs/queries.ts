import { Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { findReachable } from '../../contacts/public.ts'
import { enrollmentRecord, pausedByRun } from '../../enrollments/public.ts'

const { Row, columns } = enrollmentRecord

function inReach(db: Db): Sql {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

const active = sql`status in ('queued', 'running', 'paused')`

/** Which enrollments of a run to select. `paused`: only those paused with their campaign, not individually. */
const those = {
  active,
  moving: sql`status in ('queued', 'running')`,
  paused: sql`status = 'paused' and reason = ${pausedByRun}`,
}
export type Which = keyof typeof those

const PlaceRow = Type.Object({ id: Type.String(), contact_id: Type.String() })

/** Some enrollments of a run, oldest first. */
export const listOfRun = (db: Db, id: string, which: Which, limit: number) =>
  db.many(PlaceRow)`
    select id, contact_id from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${id} and ${those[which]} ${inReach(db)}
    order by id limit ${limit}`

/** Locks and returns the enrollments that still match. */
export const lockOfRun = (tx: Db, which: Which, ids: readonly string[]) =>
  tx.many(Row)`
    select ${columns} from enrollments
    where workspace_id = ${tx.workspaceId} and id = any (${ids}::text[]) and ${those[which]} ${inReach(tx)}
    order by id for update`

const IdRow = Type.Object({ id: Type.String() })

/** Whether any contact is enrolled in an automation. */
export const hasActive = async (db: Db, automationId: string): Promise<boolean> => {
  const row = await db.maybeOne(IdRow)`
    select id from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} and ${active} ${inReach(db)} limit 1`
  return row !== undefined
}
