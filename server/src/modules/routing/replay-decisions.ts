import type { Db } from '#kernel/db/tenant.ts'
import { listMembers, listTeams } from '../workspaces/public.ts'
import type { Agent } from './agent.ts'
import { type LeadFateRow, listLeadFates } from './backtest-queries.ts'
import { type PastDecision, type Replayed, backtest } from './backtest.ts'
import { compileRules } from './compile-rules.ts'
import { type DecisionRow, listDecisionsAfter } from './decision-queries.ts'
import { pausedUntil } from './load-agents.ts'
import { listAvailability } from './queries.ts'
import type { RuleSet } from './rule.ts'

/**
 * Plays the decisions since then by other rules, as `backtest` says. Reads them a page at a time; `onRead` learns how many
 * decisions were looked at.
 */
export async function* replayDecisions(
  db: Db,
  { rules, since, onRead }: { rules: RuleSet; since: Date; onRead: (count: number) => void },
): AsyncGenerator<Replayed> {
  const agents = await listPresentAgents(db)
  yield* backtest(pastDecisions(db, since, onRead), compileRules(rules), agents)
}

const pageSize = 500

/** The first decision on each lead since then, oldest first. */
async function* pastDecisions(
  db: Db,
  since: Date,
  onRead: (count: number) => void,
): AsyncGenerator<PastDecision> {
  let last = { created_at: since.toISOString(), id: '' }
  for (;;) {
    const rows = await listDecisionsAfter(db, last, pageSize)
    const end = rows.at(-1)
    if (end === undefined) return
    const fates = await listLeadFates(db, [...new Set(rows.map(({ lead_id }) => lead_id))])
    const byDecision = new Map(fates.map((fate) => [fate.first_id, fate]))
    for (const row of rows) {
      const fate = byDecision.get(row.id)
      if (fate !== undefined) yield pastDecision(row, fate)
    }
    onRead(rows.length)
    last = end
  }
}

function pastDecision(row: DecisionRow, { outcome, decided_at, ...fate }: LeadFateRow): PastDecision {
  const { lead_id, facts, assignee_id, rule_id, rule_name, created_at } = row
  const first = { outcome: row.outcome, assignee_id, rule_id, rule_name, decided_at: created_at }
  const { assignee_id: whose, rule_id: rule, rule_name: name } = fate
  return {
    lead_id,
    decided_at: created_at,
    facts,
    by_hand: rule_id === null,
    was:
      outcome === null || decided_at === null
        ? first
        : { outcome, assignee_id: whose, rule_id: rule, rule_name: name, decided_at },
  }
}

/** All members, as they take leads at present, without what they have. */
async function listPresentAgents(db: Db): Promise<Agent[]> {
  const [members, teams, availabilities] = await Promise.all([
    listMembers(db),
    listTeams(db),
    listAvailability(db),
  ])
  const availability = new Map(availabilities.map((row) => [row.member_id, row]))
  return members.map(({ id, role, active, office_id }) => {
    const { paused = false, paused_until = null, shifts = [], timezone = null } = availability.get(id) ?? {}
    return {
      id,
      role,
      active,
      office_id,
      team_ids: teams.filter(({ member_ids }) => member_ids.includes(id)).map((team) => team.id),
      paused_until: pausedUntil({ paused, paused_until }),
      shifts,
      timezone,
      open: 0,
      last_assigned_at: null,
      recent: [],
    }
  })
}
