import { decideRoute, winnerOf } from '@gable/server/src/modules/routing/decide/decide-route.ts'
import type { Agent, Cursor } from '@gable/server/src/modules/routing/decide/decision.ts'
import { type CompiledRules, possibleRules } from '@gable/server/src/modules/routing/rules/compile-rules.ts'
import type { Facts } from '@gable/server/src/modules/routing/rules/facts.ts'

/** The same rules without the index: every rule is tried for every lead. */
export const withoutIndex = (rules: CompiledRules): CompiledRules => ({
  ...rules,
  index: new Map(),
  unanchored: [...rules.set.rules.keys()].filter((i) => rules.set.rules[i]?.enabled),
})

export interface Work {
  rules: CompiledRules
  leads: readonly Facts[]
  agents: readonly Agent[]
}

/** A Monday morning in Chicago. */
const start = Date.UTC(2026, 2, 2, 16)

export interface Routed {
  /** CPU time of the process per lead. */
  cpuMicros: number
  /** The agent who got each lead. */
  assignees: (string | null)[]
}

/** Routes all leads one after another, a second apart. Each decision builds on the outcome of the previous ones. */
export function route({ rules, leads, agents: before }: Work): Routed {
  const agents = new Map(before.map((agent) => [agent.id, agent]))
  const cursors = new Map<string, Cursor>()
  const assignees: (string | null)[] = []
  const cpu = process.cpuUsage()
  for (const [i, facts] of leads.entries()) {
    const at = new Date(start + i * 1000)
    const decision = decideRoute({ facts, rules, agents: [...agents.values()], cursors, at })
    cursors.set(decision.matched_rule.id, decision.cursor.after)
    assignees.push(decision.assignee_id)
    const agent = agents.get(decision.assignee_id ?? '')
    if (agent !== undefined) agents.set(agent.id, assigned(agent, at.getTime()))
  }
  return { cpuMicros: micros(cpu) / leads.length, assignees }
}

const assigned = (agent: Agent, at: number): Agent => ({
  ...agent,
  open: agent.open + 1,
  last_assigned_at: at,
  recent: [at, ...agent.recent.slice(0, 99)],
})

/** CPU microseconds per lead for only finding the rule. */
export function findRules({ rules, leads }: Work): number {
  const cpu = process.cpuUsage()
  for (const [i, facts] of leads.entries()) winnerOf(rules, facts, new Date(start + i * 1000))
  return micros(cpu) / leads.length
}

/** The average over all leads of the maximum number of rules that are tried. */
export const possible = ({ rules, leads }: Work): number =>
  leads.reduce((sum, facts) => sum + [...possibleRules(rules, facts)].length, 0) / leads.length

function micros(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since)
  return user + system
}
