import type { Db } from '#kernel/db/tenant.ts'
import type { Agent } from './agent.ts'
import { agentsNeeded } from './decide-route.ts'
import type { Cursor, Facts } from './decision.ts'
import { type AgentRow, findCursor, listAgents } from './queries.ts'
import type { Rule } from './rule.ts'

/** A day and the longest hour by which one can be longer. */
const recentMs = 26 * 3_600_000

/** Whoever a rule may choose for the lead, as they stand, and where the rule's rotation does. */
export async function loadAgents(
  db: Db,
  rule: Rule,
  facts: Facts,
  at: Date,
): Promise<{ agents: Agent[]; cursors: ReadonlyMap<string, Cursor> }> {
  const wanted = agentsNeeded(rule, facts)
  const { per_hour, per_day } = rule.caps
  const [rows, cursor] = await Promise.all([
    listAgents(db, {
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

/** Everybody whom a rule's pool names, without what they were assigned lately. */
export async function listPool(db: Db, { pool }: Rule): Promise<Agent[]> {
  const rows = await listAgents(db, { ...pool, recentSince: new Date(0), recentCount: 0 })
  return rows.map((row) => agentOf(row, pool.team_id))
}

/** Of the teams only the one that was asked about is known. */
const agentOf = (row: AgentRow, teamId: string | null): Agent => ({
  id: row.id,
  role: row.role,
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

/** Epoch milliseconds; Infinity until further notice, null for one who is not paused. */
export function pausedUntil({
  paused,
  paused_until,
}: Pick<AgentRow, 'paused' | 'paused_until'>): number | null {
  if (!paused) return null
  return paused_until === null ? Number.POSITIVE_INFINITY : Date.parse(paused_until)
}
