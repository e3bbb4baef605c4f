import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { type Sql, sql } from '#kernel/db/sql.ts'
import type { Page } from '#kernel/http/paging.ts'
import { within } from '#kernel/reach.ts'
import { type AgentRow, agents } from './agent.ts'

const { Row } = agents

const updatedAt = sql`greatest(m.updated_at, a.updated_at)`

/** Columns of members `m` and their availability `a`. The join finds no `a` for a member who never changed it and never had a lead. */
const columns = sql`m.id, m.name, m.role, m.active, coalesce(a.paused, false) as paused, a.paused_until, a.timezone,
  coalesce(a.shifts, '[]') as shifts, coalesce(a.open_leads, 0) as open_leads, a.last_assigned_at, m.created_at,
  ${updatedAt} as updated_at`

export const findAgent = (db: Db, id: string) =>
  db.maybeOne(Row)`
    select ${columns} from members m
    left join routing_agents a on a.workspace_id = ${db.workspaceId} and a.member_id = m.id
    where m.workspace_id = ${db.workspaceId} and m.id = ${id}`

export const listAgents = (db: Db, page: Page) =>
  db.many(Row)`
    select ${columns} from members m
    left join routing_agents a on a.workspace_id = ${db.workspaceId} and a.member_id = m.id
    where m.workspace_id = ${db.workspaceId} ${page.keyset('m', updatedAt)}`

/** Active members in reach. */
export const listWorkingAgents = (db: Db, { conditions, page }: { conditions: Sql; page: Page }) =>
  db.many(Row)`
    select ${columns} from members m
    left join routing_agents a on a.workspace_id = ${db.workspaceId} and a.member_id = m.id
    where m.workspace_id = ${db.workspaceId} and m.active ${within(db, sql`m.id`)} ${conditions} ${page.keyset('m', updatedAt)}`

/** All members, active or not, ordered by id. */
export const listAllAgents = (db: Db) =>
  db.many(Row)`
    select ${columns} from members m
    left join routing_agents a on a.workspace_id = ${db.workspaceId} and a.member_id = m.id
    where m.workspace_id = ${db.workspaceId} order by m.id limit 10000`

/** Stores when the agent takes leads. */
export const saveAgent = (
  tx: WorkspaceTx,
  { id, paused, paused_until, timezone, shifts, updated_at }: AgentRow,
): void =>
  tx.write`
    insert into routing_agents (workspace_id, member_id, paused, paused_until, timezone, shifts, open_leads, updated_at)
    values (${tx.workspaceId}, ${id}, ${paused}, ${paused_until}, ${timezone}, ${JSON.stringify(shifts)}, 0, ${updated_at})
    on conflict (workspace_id, member_id) do update set paused = excluded.paused, paused_until = excluded.paused_until,
      timezone = excluded.timezone, shifts = excluded.shifts, updated_at = excluded.updated_at`
