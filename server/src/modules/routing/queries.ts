import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { roles } from '../workspaces/public.ts'
import type { Cursor } from './decide/decision.ts'
import type { Hours } from './rules/rule.ts'

const nullable = Type.Union([Type.String(), Type.Null()])
const count = Type.Integer()

const AgentRow = Type.Object({
  id: Type.String(),
  role: Type.Enum(roles),
  active: Type.Boolean(),
  office_id: nullable,
  in_team: Type.Boolean(),
  paused: Type.Boolean(),
  paused_until: nullable,
  timezone: nullable,
  shifts: Type.Unsafe<Hours[]>({}),
  open_leads: count,
  last_assigned_at: nullable,
  recent: Type.Array(Type.Number()),
})
export type AgentRow = Static<typeof AgentRow>

/** The agents that a decision needs. */
export interface Wanted {
  members: readonly string[]
  team_id: string | null
  office_id: string | null
  role: string | null
  everyone: boolean
  /** How far back to read assignments, and how many of each agent. */
  recentSince: Date
  recentCount: number
}

export const listAgents = (db: Db, wanted: Wanted) =>
  db.many(AgentRow)`
    select m.id, m.role, m.active, m.office_id,
      exists (
        select from team_members t
        where t.workspace_id = ${db.workspaceId} and t.team_id = ${wanted.team_id} and t.member_id = m.id) as in_team,
      coalesce(a.paused, false) as paused, a.paused_until, a.timezone, coalesce(a.shifts, '[]') as shifts,
      coalesce(a.open_leads, 0) as open_leads, a.last_assigned_at,
      array(
        select round(extract(epoch from d.created_at) * 1000)::float8 from routing_decisions d
        where d.workspace_id = ${db.workspaceId} and d.assignee_id = m.id and d.created_at > ${wanted.recentSince}
        order by d.created_at desc limit ${wanted.recentCount}) as recent
    from members m left join routing_agents a on a.workspace_id = ${db.workspaceId} and a.member_id = m.id
    where m.workspace_id = ${db.workspaceId} and (
      ${wanted.everyone} or m.id = any (${wanted.members}::text[]) or m.office_id = ${wanted.office_id}
      or m.role = ${wanted.role}
      or m.id in (
        select member_id from team_members where workspace_id = ${db.workspaceId} and team_id = ${wanted.team_id}))
    order by m.id`

const CursorRow = Type.Object({ state: Type.Unsafe<Cursor>({}) })

export const findCursor = (db: Db, ruleId: string) =>
  db.maybeOne(CursorRow)`
    select state from routing_cursors where workspace_id = ${db.workspaceId} and rule_id = ${ruleId}`

/** The caller holds the routing lock of the workspace. */
export const saveCursor = (tx: WorkspaceTx, ruleId: string, state: Cursor, at: Date): void =>
  tx.write`
    insert into routing_cursors (workspace_id, rule_id, state, moves, updated_at)
    values (${tx.workspaceId}, ${ruleId}, ${JSON.stringify(state)}, 1, ${at})
    on conflict (workspace_id, rule_id)
    do update set state = excluded.state, moves = routing_cursors.moves + 1, updated_at = excluded.updated_at`

/** Changes a member's number of open leads; `assignedAt` if a lead was assigned to them. */
export const countLeads = (
  tx: WorkspaceTx,
  memberId: string,
  { change, assignedAt, at }: { change: number; assignedAt: Date | null; at: Date },
): void =>
  tx.write`
    insert into routing_agents (workspace_id, member_id, paused, shifts, open_leads, last_assigned_at, updated_at)
    values (${tx.workspaceId}, ${memberId}, false, '[]', greatest(${change}::integer, 0), ${assignedAt}, ${at})
    on conflict (workspace_id, member_id) do update set
      open_leads = greatest(routing_agents.open_leads + ${change}::integer, 0),
      last_assigned_at = coalesce(excluded.last_assigned_at, routing_agents.last_assigned_at),
      updated_at = excluded.updated_at`

const AvailabilityRow = Type.Object({
  member_id: Type.String(),
  paused: Type.Boolean(),
  paused_until: nullable,
  timezone: nullable,
  shifts: Type.Unsafe<Hours[]>({}),
  open_leads: count,
  last_assigned_at: nullable,
})
export type AvailabilityRow = Static<typeof AvailabilityRow>

/** The availability of all members, ordered by id. */
export const listAvailability = (db: Db) =>
  db.many(AvailabilityRow)`
    select m.id as member_id, coalesce(a.paused, false) as paused, a.paused_until, a.timezone,
      coalesce(a.shifts, '[]') as shifts, coalesce(a.open_leads, 0) as open_leads, a.last_assigned_at
    from members m left join routing_agents a on a.workspace_id = ${db.workspaceId} and a.member_id = m.id
    where m.workspace_id = ${db.workspaceId} order by m.id limit 10000`

export const findAvailability = (tx: Db, memberId: string) =>
  tx.maybeOne(AvailabilityRow)`
    select member_id, paused, paused_until, timezone, shifts, open_leads, last_assigned_at from routing_agents
    where workspace_id = ${tx.workspaceId} and member_id = ${memberId} for update`

/** When a member takes leads. */
export interface Availability {
  paused: boolean
  /** ISO 8601; null with `paused` means an open end. */
  paused_until: string | null
  /** IANA name; null for that of the rules. */
  timezone: string | null
  /** Empty means always. */
  shifts: readonly Hours[]
}

export const saveAvailability = (
  tx: Db,
  memberId: string,
  { paused, paused_until, timezone, shifts }: Availability,
  at: Date,
) =>
  tx.one(AvailabilityRow)`
    insert into routing_agents (workspace_id, member_id, paused, paused_until, timezone, shifts, open_leads, updated_at)
    values (${tx.workspaceId}, ${memberId}, ${paused}, ${paused_until}, ${timezone}, ${JSON.stringify(shifts)}, 0, ${at})
    on conflict (workspace_id, member_id) do update set paused = excluded.paused, paused_until = excluded.paused_until,
      timezone = excluded.timezone, shifts = excluded.shifts, updated_at = excluded.updated_at
    returning member_id, paused, paused_until, timezone, shifts, open_leads, last_assigned_at`
