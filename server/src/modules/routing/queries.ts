import { type Static, Type } from 'typebox'
import type { Db, WorkspaceTx } from '#kernel/db/handles.ts'
import { roles } from '../workspaces/public.ts'
import type { Cursor } from './decide/decision.ts'
import type { Hours } from './rules/rule.ts'

const nullable = Type.Union([Type.String(), Type.Null()])
const count = Type.Integer()

const CandidateRow = Type.Object({
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
export type CandidateRow = Static<typeof CandidateRow>

/** Which agents a decision needs. They include all members that match any of these fields. */
export interface Wanted {
  members: readonly string[]
  team_id: string | null
  office_id: string | null
  role: string | null
  everyone: boolean
  /** How far back to read assignments, and how many per agent. */
  recentSince: Date
  recentCount: number
}

export const listCandidates = (db: Db, wanted: Wanted) =>
  db.many(CandidateRow)`
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

/** The caller holds the workspace's routing lock. */
export const saveCursor = (tx: WorkspaceTx, ruleId: string, state: Cursor, at: Date): void =>
  tx.write`
    insert into routing_cursors (workspace_id, rule_id, state, moves, updated_at)
    values (${tx.workspaceId}, ${ruleId}, ${JSON.stringify(state)}, 1, ${at})
    on conflict (workspace_id, rule_id)
    do update set state = excluded.state, moves = routing_cursors.moves + 1, updated_at = excluded.updated_at`

/**
 * Changes a member's number of open leads. `assignedAt`: when a lead was assigned to them, null if none was. Does not touch
 * `updated_at`, because counting leads does not make a new version of the agent's settings.
 */
export const countLeads = (
  tx: WorkspaceTx,
  memberId: string,
  { change, assignedAt }: { change: number; assignedAt: Date | null },
): void =>
  tx.write`
    insert into routing_agents (workspace_id, member_id, paused, shifts, open_leads, last_assigned_at)
    values (${tx.workspaceId}, ${memberId}, false, '[]', greatest(${change}::integer, 0), ${assignedAt})
    on conflict (workspace_id, member_id) do update set
      open_leads = greatest(routing_agents.open_leads + ${change}::integer, 0),
      last_assigned_at = coalesce(excluded.last_assigned_at, routing_agents.last_assigned_at)`
