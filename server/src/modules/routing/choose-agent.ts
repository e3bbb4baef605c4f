import type { Agent } from './agent.ts'
import type { Candidate, Cursor, Decision } from './decision.ts'
import { candidateOf } from './eligibility.ts'
import type { Moment } from './hours.ts'
import { type RotatingMethod, isRotating, turnsOf } from './rotation.ts'
import type { Method, Rule } from './rule.ts'

/** What a step of a rule has to go by. */
export interface Choice {
  rule: Rule
  /** The rule's. */
  pool: readonly Agent[]
  cursor: Cursor
  moment: Moment
}

/** What a step of a rule comes to: somebody gets the lead or may claim it, or the next step has to try. */
export type Chosen = Pick<
  Decision,
  'outcome' | 'method' | 'assignee_id' | 'offered_to' | 'until' | 'candidates'
> & {
  cursor: Cursor
}
export interface NobodyChosen {
  /** In words. */
  obstacle: string
  candidates: Candidate[]
}

/** Chooses among the pool. */
export function chooseByMethod(
  method: Exclude<Method, 'direct' | 'sticky'>,
  choice: Choice,
): Chosen | NobodyChosen {
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

function emptiness(method: Method, pool: readonly Agent[]): string {
  if (pool.length === 0) return 'nobody in the pool'
  return method === 'pond' ? 'nobody active' : 'nobody eligible'
}

function chooseByTurn(
  method: RotatingMethod,
  { rule: { weights }, pool, cursor: before }: Choice,
  candidates: readonly Candidate[],
  eligible: readonly Agent[],
): Chosen {
  const { order, cursor } = turnsOf[method]({ eligible, pool, weights, cursor: before })
  const positions = new Map(order.map((id, i) => [id, i + 1]))
  const placed = candidates.map((one) => ({ ...one, position: positions.get(one.member_id) ?? null }))
  return assigned(method, order[0] ?? null, cursor, placed)
}

/** Chooses one certain agent, in the pool or not, if they are eligible. They are listed with the pool. */
export function chooseMember(
  method: 'direct' | 'sticky',
  agent: Agent | undefined,
  { rule, pool, cursor, moment }: Choice,
): Chosen | NobodyChosen {
  const listed = pool.map((one) => candidateOf(one, rule, rule.method, moment))
  if (agent === undefined) {
    return { obstacle: method === 'sticky' ? 'no owner' : 'no such member', candidates: listed }
  }
  const candidate = candidateOf(agent, rule, method, moment)
  const candidates = withCandidate(listed, candidate)
  if (!candidate.eligible) return { obstacle: candidate.excluded_reasons.join(', '), candidates }
  return assigned(method, agent.id, cursor, withCandidate(listed, { ...candidate, position: 1 }))
}

/** The candidates, and one more or in place of what was said of them. */
const withCandidate = (candidates: readonly Candidate[], one: Candidate): Candidate[] =>
  candidates.some(({ member_id }) => member_id === one.member_id)
    ? candidates.map((other) => (other.member_id === one.member_id ? one : other))
    : [...candidates, one]

const assigned = (
  method: Method,
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
