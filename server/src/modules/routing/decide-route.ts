import type { Agent } from './agent.ts'
import { type CompiledRules, possibleRules } from './compile-rules.ts'
import { failingConditions, holds } from './condition.ts'
import { reasonOf } from './decision-reason.ts'
import type { Considered, Cursor, Decision, Facts, FailingCondition } from './decision.ts'
import { poolOf } from './eligibility.ts'
import { type Moment, isWithin, momentAt, nextOpening } from './hours.ts'
import { isRotating } from './rotation.ts'
import { trySteps } from './rule-steps.ts'
import type { Pool, Rule } from './rule.ts'

export interface RouteQuestion {
  facts: Facts
  rules: CompiledRules
  /** Everybody who might matter, see `agentsNeeded`; more do no harm, and their order says nothing. */
  agents: readonly Agent[]
  /** Where the rotations stand, by the id of the rule. */
  cursors: ReadonlyMap<string, Cursor>
  at: Date
  /** Goes on with this rule after an offer of it that nobody claimed … */
  rule?: Rule
  /** … from this step on: the one after the offer. */
  step?: number
}

/**
 * Who gets a lead. The first rule that matches has it, and no later one, even if it finds nobody: then the lead waits.
 * Nobody is chosen who is not eligible. A pure function, so preview and live ask the same; what live has to write down is
 * in the answer.
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
    reason: reasonOf(decision, rule, isDefault),
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

/** What a preview says of its decision: nothing holds the place in the rotation that it saw. */
export const previewReason = ({ method, reason }: Pick<Decision, 'method' | 'reason'>): string =>
  isRotating(method)
    ? `${reason} The live pick may differ, as a preview does not hold its place in the rotation.`
    : reason

/** Which members and groups a decision by this rule can ask about, so that only these agents have to be loaded. */
export function agentsNeeded({ pool, fallback }: Rule, { owner_id }: Facts): Pool {
  const named = fallback.flatMap((step) => ('member_id' in step ? step.member_id : []))
  const owner = owner_id === null ? [] : [owner_id]
  return { ...pool, members: [...new Set([...pool.members, ...named, ...owner])] }
}

/** The first rule that matches, or the default rule. One that holds leads outside its hours matches outside them, too. */
export const winnerOf = (rules: CompiledRules, facts: Facts, at: Date): Rule =>
  winnerAt(rules, facts, momentAt(at, rules.set.timezone))

function winnerAt(rules: CompiledRules, facts: Facts, moment: Moment): Rule {
  for (const { rule, condition } of possibleRules(rules, facts)) {
    if (takesNow(rule, moment) && holds(condition, facts, moment)) return rule
  }
  return rules.set.default
}

/**
 * How each rule stands to a lead, in the order in which they are tried; also those after the winner, so several can match.
 * Of the default rule there is nothing to say: it takes what no other does.
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
