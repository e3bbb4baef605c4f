import { type Moment, isWithin, momentAt, nextOpening } from '#kernel/conditions/hours.ts'
import { type CompiledRules, possibleRules } from '../rules/compile-rules.ts'
import { failingConditions, holds } from '../rules/condition.ts'
import type { Facts, FailingCondition } from '../rules/facts.ts'
import type { Pool, Rule } from '../rules/rule.ts'
import { decisionReason } from './decision-reason.ts'
import type { Agent, Considered, Cursor, Decision } from './decision.ts'
import { poolOf } from './eligibility.ts'
import { isRotating } from './rotation.ts'
import { trySteps } from './rule-steps.ts'

export interface RouteQuestion {
  facts: Facts
  rules: CompiledRules
  /** At least the agents that `agentsNeeded` names, in any order. */
  agents: readonly Agent[]
  /** The state of the rotations, by rule id. */
  cursors: ReadonlyMap<string, Cursor>
  at: Date
  /** The rule to resume after an unclaimed offer. Default: the first rule that matches. */
  rule?: Rule
  /** The step at which to resume: the one after the offer. Default: the first step. */
  step?: number
}

/**
 * Decides who gets a lead. Only the first matching rule decides; if it finds no eligible agent, the lead waits. Pure; previews,
 * backtests, and live decisions share it.
 */
export function decideRoute({
  facts,
  rules,
  agents,
  cursors,
  at,
  rule: resumed,
  step: first = 0,
}: RouteQuestion): Decision {
  const moment = momentAt(at, rules.set.timezone)
  const rule = resumed ?? winnerAt(rules, facts, moment)
  const cursor = cursors.get(rule.id) ?? {}
  const isDefault = rule.id === rules.set.default.id
  const worded = (decision: Omit<Decision, 'reason'>): Decision => ({
    ...decision,
    reason: decisionReason(decision, rule, isDefault),
  })
  if (first === 0 && rule.schedule !== null && !isOpen(rule, moment)) {
    const until = nextOpening(rule.schedule, at).getTime()
    return worded({ ...undecided(rule, cursor), outcome: 'held', until })
  }
  const choice = { rule, pool: poolOf(rule, agents), cursor, moment }
  const { chosen, step, candidates, passed } = trySteps(first, choice, agents, facts.owner_id)
  const { cursor: after = cursor, ...outcome } = chosen ?? {}
  return worded({
    ...undecided(rule, cursor),
    ...outcome,
    step,
    candidates,
    cursor: { before: cursor, after },
    fallback_used: passed,
  })
}

const undecided = (rule: Rule, cursor: Cursor): Omit<Decision, 'reason'> => ({
  outcome: 'unassigned',
  matched_rule: { id: rule.id, name: rule.name, version: rule.version },
  method: null,
  assignee_id: null,
  offered_to: [],
  until: null,
  step: 0,
  candidates: [],
  cursor: { before: cursor, after: cursor },
  fallback_used: [],
  tags: [...rule.on_match.tags],
})

/** The reason as a preview states it. A preview does not reserve a turn in the rotation. */
export const previewReason = ({ method, reason }: Pick<Decision, 'method' | 'reason'>): string =>
  isRotating(method)
    ? `${reason} The live pick may differ, as a preview does not hold its place in the rotation.`
    : reason

/** The members and groups that a decision by this rule can depend on. Callers need to load only these agents. */
export function agentsNeeded({ pool, fallback }: Rule, { owner_id }: Facts): Pool {
  const named = fallback.flatMap((step) => ('member_id' in step ? step.member_id : []))
  const owner = owner_id === null ? [] : [owner_id]
  return { ...pool, members: [...new Set([...pool.members, ...named, ...owner])] }
}

/** The first rule that matches, or the default rule. A rule that holds leads outside its hours matches at those times, too. */
export const winnerOf = (rules: CompiledRules, facts: Facts, at: Date): Rule =>
  winnerAt(rules, facts, momentAt(at, rules.set.timezone))

function winnerAt(rules: CompiledRules, facts: Facts, moment: Moment): Rule {
  for (const { rule, condition } of possibleRules(rules, facts)) {
    if (takesNow(rule, moment) && holds(condition, facts, moment)) return rule
  }
  return rules.set.default
}

/**
 * Returns every rule with its failing conditions, in the order in which the rules are tried. Includes rules after the winner, so
 * several can match. Omits the default rule, which takes every other lead.
 */
export function explain(rules: CompiledRules, facts: Facts, at: Date): Considered[] {
  const moment = momentAt(at, rules.set.timezone)
  return rules.rules.map(({ rule, condition }) => {
    const failing_conditions = [
      ...notEnabled(rule),
      ...notNow(rule, moment),
      ...failingConditions(condition, facts, moment),
    ]
    return { rule_id: rule.id, name: rule.name, matched: failing_conditions.length === 0, failing_conditions }
  })
}

const isOpen = ({ schedule }: Rule, moment: Moment): boolean =>
  schedule === null || isWithin(schedule, moment.local(schedule.timezone))

const takesNow = (rule: Rule, moment: Moment): boolean =>
  rule.schedule?.outside === 'hold' || isOpen(rule, moment)

const notEnabled = ({ enabled }: Rule): FailingCondition[] =>
  enabled ? [] : [{ field: 'enabled', operator: 'eq', expected: true, actual: false }]

function notNow(rule: Rule, moment: Moment): FailingCondition[] {
  if (rule.schedule === null || takesNow(rule, moment)) return []
  const { outside: _, ...expected } = rule.schedule
  const { day, time } = moment.local(expected.timezone)
  return [{ field: 'schedule', operator: 'time_between', expected, actual: `${day} ${time}` }]
}
