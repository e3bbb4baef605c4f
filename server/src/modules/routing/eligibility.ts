import type { Agent } from './agent.ts'
import type { Candidate, Exclusion } from './decision.ts'
import { type Moment, isWithin } from './hours.ts'
import type { Method, Pool, Rule } from './rule.ts'

/** Those of the agents who are in the rule's pool, by id. */
export function poolOf({ pool }: Pick<Rule, 'pool'>, agents: readonly Agent[]): Agent[] {
  const members = new Set(pool.members)
  return agents
    .filter((agent) => pool.everyone || members.has(agent.id) || isNamed(agent, pool))
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

const isNamed = ({ team_ids, office_id, role }: Agent, pool: Pool): boolean =>
  (pool.team_id !== null && team_ids.includes(pool.team_id)) ||
  (pool.office_id !== null && pool.office_id === office_id) ||
  pool.role === role

const hourMs = 3_600_000

/**
 * How an agent stands to a rule that chooses by a method. A pond asks only whether they are active: whoever is off shift,
 * paused or at a cap now may claim from it later. All else asks everything; at a cap is over it.
 */
export function candidateOf(
  agent: Agent,
  { caps, weights }: Pick<Rule, 'caps' | 'weights'>,
  method: Method,
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

/** A member's share; 1 where none is given. */
export const weightOf = (weights: Rule['weights'], id: string): number =>
  Object.hasOwn(weights, id) ? (weights[id] ?? 1) : 1

function isOnShift({ shifts, timezone }: Agent, moment: Moment): boolean {
  if (shifts.length === 0) return true
  const local = moment.local(timezone ?? moment.timezone)
  return shifts.some((hours) => isWithin(hours, local))
}

/** Whether so many of the last assignments count; one that is dated later than now does, as clocks differ. */
const isReached = (cap: number | null, { recent }: Agent, counts: (at: number) => boolean): boolean =>
  cap !== null && recent.length >= cap && recent.filter(counts).length >= cap
