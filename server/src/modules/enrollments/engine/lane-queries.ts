import { Type } from 'typebox'
import { type Lease, hasEnded, leaseEnd } from '#kernel/background/lease.ts'
import type { Tx } from '#kernel/context.ts'
import type { Queries, WorkspaceTx } from '#kernel/db/handles.ts'
import { sql } from '#kernel/db/sql.ts'
import { nullable } from '#kernel/schemas.ts'
import { engineWorkers } from '../inbox/queries.ts'

const WorkspaceRow = Type.Object({ workspace_id: Type.String() })

/** Workspaces with inbox rows that are not postponed. Skips through the index from workspace to workspace, reading one row of each. */
export const listInboxesAcrossWorkspaces = (queue: Queries) =>
  queue.many(WorkspaceRow)`
    with recursive inboxes (workspace_id) as (
      (select workspace_id from automation_inbox where due_at is null order by workspace_id limit 1)
      union all
      select (select i.workspace_id from automation_inbox i
        where i.workspace_id > inboxes.workspace_id and i.due_at is null order by i.workspace_id limit 1)
      from inboxes where inboxes.workspace_id is not null
    ) select workspace_id from inboxes where workspace_id is not null`

/** Whether an engine that never released the lane has lost it. */
const isLost = (lease: Lease) => sql`(holder_id is not null and ${hasEnded(sql`held_until`, lease)})`

/** The least recently leased first. A time in the future, from a clock that was wrong, does not count. */
const turn = ({ now }: Lease) => sql`case when held_at <= ${now} then held_at end nulls first`

/** Workspaces whose lane is due, the least recently leased first. */
export const listDueLanesAcrossWorkspaces = (queue: Queries, at: Date, lease: Lease, limit: number) =>
  queue.many(WorkspaceRow)`
    select workspace_id from automation_lanes where next_at <= ${at} or ${isLost(lease)}
    order by ${turn(lease)} limit ${limit}`

const NextRow = Type.Object({ next_at: nullable(Type.String()) })

/** When the next lane is due, or the lease of an engine expires. */
export const findNextLaneAcrossWorkspaces = async (queue: Queries, lease: Lease): Promise<string | null> => {
  const { next_at } = await queue.one(NextRow)`
    select min(case when ${isLost(lease)} then ${lease.now} else next_at end) as next_at from automation_lanes`
  return next_at
}

/** Adds lanes for workspaces that have none. */
export const addLanesAcrossWorkspaces = (queue: Queries, ids: readonly string[], at: Date) =>
  queue.run`
    insert into automation_lanes (workspace_id, next_at, holder_id, held_until, fence)
    select id, null, null, ${at}, 0 from unnest(${ids}::text[]) as id on conflict (workspace_id) do nothing`

const LockedRow = Type.Object({ workspace_id: Type.String(), fence: Type.String() })

/** The lease of a lane. `fence`: the fencing token, which every new lease increases. */
export interface Hold {
  workspaceId: string
  fence: string
}

/**
 * Leases lanes that no engine holds, the least recently leased first, so that each gets its turn. A lane that the engine never releases is
 * due when the lease expires.
 */
export const claimLanesAcrossWorkspaces = async (
  queue: Queries,
  { ids, holder, lease, limit }: { ids: readonly string[]; holder: string; lease: Lease; limit: number },
): Promise<Hold[]> => {
  const rows = await queue.many(LockedRow)`
    update automation_lanes
    set holder_id = ${holder}, held_until = ${leaseEnd(lease)}, held_at = ${lease.now}, next_at = ${leaseEnd(lease)},
      fence = fence + 1
    where workspace_id in (
      select workspace_id from automation_lanes
      where workspace_id = any (${ids}::text[]) and (holder_id is null or ${isLost(lease)})
      order by ${turn(lease)} limit ${limit} for update skip locked)
    returning workspace_id, fence::text as fence`
  return rows.map(({ workspace_id, fence }) => ({ workspaceId: workspace_id, fence }))
}

const FenceRow = Type.Object({ fence: Type.String() })

/** Whether the engine still holds the lane. If so, no other engine can lease it until the transaction ends. */
export const isHeld = async (tx: WorkspaceTx, { fence }: Hold): Promise<boolean> => {
  const row = await tx.maybeOne(FenceRow)`
    select fence::text as fence from automation_lanes where workspace_id = ${tx.workspaceId} for share`
  return row?.fence === fence
}

/** Releases a lane, and sets when it is due next. An engine that has lost the lane changes nothing. */
export const releaseLane = (tx: Tx, { fence }: Hold, nextAt: string | null): void =>
  tx.write`
    update automation_lanes set next_at = ${nextAt === null ? null : tx.clock.due(new Date(nextAt))}, holder_id = null
    where workspace_id = ${tx.workspaceId} and fence = ${fence}::bigint`

/** Releases every lane that an engine holds, whether the engine knows about it or not. */
export const freeLanesAcrossWorkspaces = (queue: Queries, holder: string, realNow: Date) =>
  queue.run`
    update automation_lanes set next_at = ${realNow}, holder_id = null where holder_id = ${holder}`

/** Makes the lane due earlier by so many milliseconds. */
export const bringLaneForward = (tx: Tx, ms: number): void => {
  tx.write`select ${engineWorkers.wake}`
  tx.write`
    update automation_lanes set next_at = next_at - ${ms} * interval '1 millisecond'
    where workspace_id = ${tx.workspaceId} and holder_id is null`
}
