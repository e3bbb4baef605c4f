import { Type } from 'typebox'
import type { Db } from '#kernel/db/handles.ts'
import { type Sql, empty, sql } from '#kernel/db/sql.ts'
import { findReachable } from '../contacts/public.ts'

/** Limits a query to enrollments of contacts in reach. */
function inReach(db: Db): Sql {
  const reachable = findReachable(db)
  return reachable === undefined ? empty : sql` and contact_id in (${reachable})`
}

const RunRow = Type.Object({ id: Type.String(), status: Type.String() })

/** The status of the campaign run that an automation belongs to; undefined if it belongs to none. */
export const findRunStatus = async (db: Db, automationId: string): Promise<string | undefined> => {
  const row = await db.maybeOne(RunRow)`
    select id, status from backfills where workspace_id = ${db.workspaceId} and id = ${automationId}`
  return row?.status
}

/**
 * The status of each run that these contacts are enrolled in, by ID. Locked for share, so no run becomes paused or cancelled until the
 * transaction ends.
 */
export const lockRunsOfForShare = async (tx: Db, contactIds: readonly string[]) => {
  const rows = await tx.many(RunRow)`
    select id, status from backfills
    where workspace_id = ${tx.workspaceId} and id in (
      select automation_id from enrollments
      where workspace_id = ${tx.workspaceId} and contact_id = any (${contactIds}::text[]) and source = 'campaign'
        and status in ('queued', 'running', 'paused') ${inReach(tx)})
    order by id for share`
  return new Map(rows.map(({ id, status }) => [id, status]))
}
