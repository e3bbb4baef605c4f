import type { Db } from '#kernel/db/handles.ts'
import { listTeams } from '../workspaces/public.ts'
import { type PastDecision, type Replayed, backtest } from './decide/backtest.ts'
import type { Agent } from './decide/decision.ts'
import {
  type LeadResultRow,
  listLeadResults,
  type DecisionRow,
  listDecisionsAfter,
} from './decision-queries.ts'
import { listPool } from './load-agents.ts'
import { compileRules } from './rules/compile-rules.ts'
import { builtInRules } from './rules/parse-rules.ts'
import type { RuleSet } from './rules/rule.ts'

/**
 * Replays the decisions after `since` with other rules; see `backtest`. Reads them a page at a time and reports the size of each page
 * to `onRead`.
 */
export async function* replayDecisions(
  db: Db,
  { rules, since, onRead }: { rules: RuleSet; since: Date; onRead: (count: number) => void },
): AsyncGenerator<Replayed> {
  const agents = await listPresentAgents(db)
  yield* backtest(pastDecisions(db, since, onRead), compileRules(rules), agents)
}

const pageSize = 500

/** The first decision on each lead whose first decision came after `since`, oldest first. */
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
    const results = await listLeadResults(db, [...new Set(rows.map(({ lead_id }) => lead_id))])
    const byDecision = new Map(results.map((result) => [result.first_id, result]))
    for (const row of rows) {
      const result = byDecision.get(row.id)
      if (result !== undefined) yield pastDecision(row, result)
    }
    onRead(rows.length)
    last = end
  }
}

function pastDecision(row: DecisionRow, { outcome, decided_at, ...result }: LeadResultRow): PastDecision {
  const { lead_id, facts, assignee_id, rule_id, rule_name, created_at } = row
  const first = { outcome: row.outcome, assignee_id, rule_id, rule_name, decided_at: created_at }
  const { assignee_id: whose, rule_id: rule, rule_name: name } = result
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

/** All members, with their current availability and no leads. */
async function listPresentAgents(db: Db): Promise<Agent[]> {
  const [agents, teams] = await Promise.all([listPool(db, builtInRules.default), listTeams(db)])
  return agents.map((agent) => ({
    ...agent,
    team_ids: teams.filter(({ member_ids }) => member_ids.includes(agent.id)).map(({ id }) => id),
    open: 0,
    last_assigned_at: null,
  }))
}
