import { Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { findReachable } from '../../contacts/public.ts'
import { type Enrollment, enrollmentRecord } from '../enrollment.ts'

function inReach(db: Db): Sql {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

const active = sql`status in ('queued', 'running', 'paused')`

/** The reason of enrollments that stand still with their campaign. */
const pausedByRun = 'campaign_paused'

export const pauseEnrollmentsIn = (tx: WorkspaceTx, automationId: string, at: Date): void =>
  tx.write`
    update enrollments set status = 'paused', reason = ${pausedByRun}, paused_at = ${at}, updated_at = ${at}
    where workspace_id = ${tx.workspaceId} and automation_id = ${automationId} and status in ('queued', 'running')
      ${inReach(tx)}`

const IdRow = Type.Object({ id: Type.String() })

/** Those that stand still with their campaign, locked, in the order of their ids. */
export const lockPausedIn = (tx: Db, automationId: string) =>
  tx.many(IdRow)`
    select id from enrollments
    where workspace_id = ${tx.workspaceId} and automation_id = ${automationId} and status = 'paused'
      and reason = ${pausedByRun} ${inReach(tx)}
    order by id for update`

/** Lets each of them go on at its time. */
export const resumeEach = (tx: WorkspaceTx, turns: readonly { id: string; at: Date }[], at: Date): void =>
  tx.write`
    update enrollments set status = case when started_at is null then 'queued' else 'running' end, reason = null,
      paused_at = null, due_at = turn.at, updated_at = ${at}
    from unnest(${turns.map(({ id }) => id)}::text[], ${turns.map((turn) => turn.at.toISOString())}::timestamptz[])
      as turn (id, at)
    where workspace_id = ${tx.workspaceId} and enrollments.id = turn.id collate "C" ${inReach(tx)}`

/** Some who are in an automation, locked, in the order of their ids. */
export const lockActiveIn = (tx: Db, automationId: string, limit: number): Promise<Enrollment[]> =>
  tx.many(enrollmentRecord.Row)`
    select ${enrollmentRecord.columns} from enrollments
    where workspace_id = ${tx.workspaceId} and automation_id = ${automationId} and ${active} ${inReach(tx)}
    order by id limit ${limit} for update`

/** Whether a contact is in an automation. */
export const hasActive = async (db: Db, automationId: string): Promise<boolean> => {
  const row = await db.maybeOne(IdRow)`
    select id from enrollments
    where workspace_id = ${db.workspaceId} and automation_id = ${automationId} and ${active} ${inReach(db)} limit 1`
  return row !== undefined
}
