import type { Moment } from '#kernel/conditions/hours.ts'
import type { RoutingMethod, Rule } from '../rules/rule.ts'
import type { Agent, Candidate, Cursor, Decision } from './decision.ts'
import { candidateOf } from './eligibility.ts'
import { type RotatingMethod, isRotating, turnsOf } from './rotation.ts'

/** The input of one step of a rule. */
export interface RuleChoice {
  rule: Rule
  /** The agents in the rule's pool. */
  pool: readonly Agent[]
  cursor: Cursor
  moment: Moment
}

/** The result of a step that found an agent or made an offer. */
export type Chosen = Pick<
  Decision,
  'outcome' | 'method' | 'assignee_id' | 'offered_to' | 'until' | 'candidates'
> & {
  cursor: Cursor
}
export interface NoneChosen {
  /** Why no agent was found. */
  obstacle: string
  candidates: Candidate[]
}

/** Chooses an agent from the pool. */
export function chooseByMethod(
  method: Exclude<RoutingMethod, 'direct' | 'sticky'>,
  choice: RuleChoice,
): Chosen | NoneChosen {
  const { rule, pool, moment } = choice
  const candidates = pool.map((agent) => candidateOf(agent, rule, method, moment))
  const eligible = pool.filter((_, i) => candidates[i]?.eligible)
  if (eligible.length === 0) return { obstacle: emptiness(method, pool), candidates }
  if (isRotating(method)) return chooseByTurn(method, choice, candidates, eligible)
  return {
    outcome: method === 'pond' ? 'pond' : 'offered',
    method,
    assignee_id: null,
    offered_to: eligible.map(({ id }) => id),
    until: method === 'pond' ? null : moment.at + rule.claim_seconds * 1000,
    candidates,
    cursor: choice.cursor,
  }
}

function emptiness(method: RoutingMethod, pool: readonly Agent[]): string {
  if (pool.length === 0) return 'the pool is empty'
  return method === 'pond' ? 'no active member' : 'no eligible member'
}

function chooseByTurn(
  method: RotatingMethod,
  { rule: { weights }, pool, cursor: before }: RuleChoice,
  candidates: readonly Candidate[],
  eligible: readonly Agent[],
): Chosen {
  const { order, cursor } = turnsOf[method]({ eligible, pool, weights, cursor: before })
  const positions = new Map(order.map((id, i) => [id, i + 1]))
  const placed = candidates.map((one) => ({ ...one, position: positions.get(one.member_id) ?? null }))
  return assigned(method, order[0] ?? null, cursor, placed)
}

/** Chooses this agent if they are eligible, whether or not they are in the pool. */
export function chooseMember(
  method: 'direct' | 'sticky',
  agent: Agent | undefined,
  { rule, pool, cursor, moment }: RuleChoice,
): Chosen | NoneChosen {
  const listed = pool.map((one) => candidateOf(one, rule, rule.method, moment))
  if (agent === undefined) {
    return { obstacle: method === 'sticky' ? 'no owner' : 'no such member', candidates: listed }
  }
  const candidate = candidateOf(agent, rule, method, moment)
  const candidates = withCandidate(listed, candidate)
  if (!candidate.eligible) return { obstacle: candidate.excluded_reasons.join(', '), candidates }
  return assigned(method, agent.id, cursor, withCandidate(listed, { ...candidate, position: 1 }))
}

/** Adds a candidate, or replaces the one for the same member. */
const withCandidate = (candidates: readonly Candidate[], one: Candidate): Candidate[] =>
  candidates.some(({ member_id }) => member_id === one.member_id)
    ? candidates.map((other) => (other.member_id === one.member_id ? one : other))
    : [...candidates, one]

const assigned = (
  method: RoutingMethod,
  assignee_id: string | null,
  cursor: Cursor,
  candidates: Candidate[],
): Chosen => ({
  outcome: 'assigned',
  method,
  assignee_id,
  offered_to: [],
  until: null,
  candidates,
  cursor,
})
