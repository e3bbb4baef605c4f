import type { Db } from '#kernel/db/handles.ts'
import { worksLeads } from '../workspaces/public.ts'
import { agentsNeeded } from './decide/decide-route.ts'
import type { Agent, Cursor } from './decide/decision.ts'
import { type CandidateRow, findCursor, listCandidates } from './queries.ts'
import type { Facts } from './rules/facts.ts'
import type { Rule } from './rules/rule.ts'

/** One day, plus two hours for daylight saving changes. */
const recentMs = 26 * 3_600_000

/** Loads the agents that a rule may choose for the lead, and the state of its rotation. */
export async function loadAgents(
  db: Db,
  rule: Rule,
  facts: Facts,
  at: Date,
): Promise<{ agents: Agent[]; cursors: ReadonlyMap<string, Cursor> }> {
  const wanted = agentsNeeded(rule, facts)
  const { per_hour, per_day } = rule.caps
  const [rows, cursor] = await Promise.all([
    listCandidates(db, {
      ...wanted,
      recentSince: new Date(at.getTime() - recentMs),
      recentCount: Math.max(per_hour ?? 0, per_day ?? 0),
    }),
    findCursor(db, rule.id),
  ])
  return {
    agents: rows.map((row) => agentOf(row, wanted.team_id)),
    cursors: new Map(cursor === undefined ? [] : [[rule.id, cursor.state]]),
  }
}

/** Loads the members that a rule's pool names, without their recent assignments. */
export async function listPool(db: Db, { pool }: Rule): Promise<Agent[]> {
  const rows = await listCandidates(db, { ...pool, recentSince: new Date(0), recentCount: 0 })
  return rows.map((row) => agentOf(row, pool.team_id))
}

/** `team_ids` has at most the team that the query asked for. */
const agentOf = (row: CandidateRow, teamId: string | null): Agent => ({
  id: row.id,
  role: row.role,
  works_leads: worksLeads(row.role),
  active: row.active,
  office_id: row.office_id,
  team_ids: row.in_team && teamId !== null ? [teamId] : [],
  paused_until: pausedUntil(row),
  shifts: row.shifts,
  timezone: row.timezone,
  open: row.open_leads,
  last_assigned_at: row.last_assigned_at === null ? null : Date.parse(row.last_assigned_at),
  recent: row.recent,
})

/** Epoch milliseconds; Infinity for a pause without an end, null if not paused. */
function pausedUntil({ paused, paused_until }: Pick<CandidateRow, 'paused' | 'paused_until'>): number | null {
  if (!paused) return null
  return paused_until === null ? Number.POSITIVE_INFINITY : Date.parse(paused_until)
}
