import { type RouteQuestion, decideRoute } from '../../src/modules/routing/decide/decide-route.ts'
import type { Agent } from '../../src/modules/routing/decide/decision.ts'
import { compileRules } from '../../src/modules/routing/rules/compile-rules.ts'
import type { Facts } from '../../src/modules/routing/rules/facts.ts'
import { builtInRules } from '../../src/modules/routing/rules/parse-rules.ts'
import type { Pool, Rule, RuleSet } from '../../src/modules/routing/rules/rule.ts'
import { worksLeads } from '../../src/modules/workspaces/public.ts'

/** An id for each number. Ids sort in the order of the numbers. */
export const idOf = (number: number) => `c${String(number).padStart(24, '0')}`

export const everyone: Pool = { ...builtInRules.default.pool }
export const poolOfMembers = (...members: string[]): Pool => ({ ...everyone, everyone: false, members })

export const aRule = (parts: Partial<Rule> = {}): Rule => ({
  ...builtInRules.default,
  id: idOf(900_000),
  name: 'A rule',
  priority: 100,
  sticky: { existing_owner: false },
  ...parts,
})

export const rulesOf = (...rules: Rule[]): RuleSet => ({ ...builtInRules, version: 1, rules })

export const anAgent = (parts: Partial<Agent> = {}): Agent => ({
  id: idOf(1),
  role: 'agent',
  works_leads: worksLeads(parts.role ?? 'agent'),
  active: true,
  office_id: null,
  team_ids: [],
  paused_until: null,
  shifts: [],
  timezone: null,
  open: 0,
  last_assigned_at: null,
  recent: [],
  ...parts,
})

/** This many agents, with ids from 1. */
export const agents = (count: number, parts: Partial<Agent> = {}): Agent[] =>
  Array.from({ length: count }, (_, i) => anAgent({ ...parts, id: idOf(i + 1) }))

export const someFacts = (parts: Partial<Facts> = {}): Facts => ({
  source: 'Web',
  tags: [],
  context: {},
  owner_id: null,
  ...parts,
})

/** A Monday at 10:15 in New York. */
export const mondayMorning = new Date('2026-03-02T15:15:00Z')

/** A decision by one rule or by a rule set. Over agents 1 to 3 by default. */
export const decide = (
  rule: Partial<Rule> | RuleSet,
  people: Agent[] = agents(3),
  { lead = {}, ...more }: { lead?: Partial<Facts> } & Partial<RouteQuestion> = {},
) =>
  decideRoute({
    facts: someFacts(lead),
    rules: compileRules('rules' in rule ? rule : rulesOf(aRule(rule))),
    agents: people,
    cursors: new Map(),
    at: mondayMorning,
    ...more,
  })

/** Freezes a value deeply, so that changing it throws. */
export function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of value instanceof Map ? value.values() : Object.values(value)) frozen(member)
  }
  return value
}
