import { type Moment, isWithin } from '#kernel/conditions/hours.ts'
import type { RoutingMethod, Pool, Rule } from '../rules/rule.ts'
import type { Agent, Candidate, Exclusion } from './decision.ts'

/** The agents in the rule's pool, ordered by id. */
export function poolOf({ pool }: Pick<Rule, 'pool'>, agents: readonly Agent[]): Agent[] {
  const members = new Set(pool.members)
  return agents
    .filter((agent) => members.has(agent.id) || agent.role === pool.role || isInGroup(agent, pool))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** Groups exclude members whose role cannot work leads. A pool can still name such a member or role. */
const isInGroup = ({ team_ids, office_id, works_leads }: Agent, pool: Pool): boolean =>
  works_leads &&
  (pool.everyone ||
    (pool.team_id !== null && team_ids.includes(pool.team_id)) ||
    (pool.office_id !== null && pool.office_id === office_id))

const hourMs = 3_600_000

/**
 * Checks whether an agent is eligible for a method of a rule, and if not, why. A pond requires only an active agent, because agents
 * who are off shift, paused, or at a cap now can claim later.
 */
export function candidateOf(
  agent: Agent,
  { caps, weights }: Pick<Rule, 'caps' | 'weights'>,
  method: RoutingMethod,
  moment: Moment,
): Candidate {
  const weight = method === 'weighted' ? weightOf(weights, agent.id) : 1
  const excluded_reasons: Exclusion[] = []
  if (!agent.active) excluded_reasons.push('inactive')
  if (method !== 'pond') {
    if (agent.paused_until !== null && agent.paused_until > moment.at) excluded_reasons.push('paused')
    if (!isOnShift(agent, moment)) excluded_reasons.push('off_shift')
    if (caps.open !== null && agent.open >= caps.open) excluded_reasons.push('cap_open')
    const { per_hour, per_day } = caps
    if (isReached(per_hour, agent, (at) => at > moment.at - hourMs)) excluded_reasons.push('cap_per_hour')
    if (isReached(per_day, agent, (at) => at >= moment.midnight())) excluded_reasons.push('cap_per_day')
    if (weight === 0) excluded_reasons.push('weight_zero')
  }
  return {
    member_id: agent.id,
    eligible: excluded_reasons.length === 0,
    excluded_reasons,
    weight,
    position: null,
  }
}

/** A member's weight; 1 by default. */
export const weightOf = (weights: Rule['weights'], id: string): number =>
  Object.hasOwn(weights, id) ? (weights[id] ?? 1) : 1

function isOnShift({ shifts, timezone }: Agent, moment: Moment): boolean {
  if (shifts.length === 0) return true
  const local = moment.local(timezone ?? moment.timezone)
  return shifts.some((hours) => isWithin(hours, local))
}

/** Whether the assignments that count reach the cap. Those dated in the future count too, because clocks differ. */
const isReached = (cap: number | null, { recent }: Agent, counts: (at: number) => boolean): boolean =>
  cap !== null && recent.length >= cap && recent.filter(counts).length >= cap
