import type { CompiledRules } from '../rules/compile-rules.ts'
import type { Facts } from '../rules/facts.ts'
import { decideRoute } from './decide-route.ts'
import type { Agent, Cursor, Decision, RoutingOutcome } from './decision.ts'

/** A lead's outcome: the first decision on it that did more than let it wait. */
export interface MessageOutcome {
  outcome: RoutingOutcome
  assignee_id: string | null
  /** Null if a person decided. */
  rule_id: string | null
  rule_name: string | null
  /** ISO 8601. */
  decided_at: string
}

/** The first decision on a lead. */
export interface PastDecision {
  lead_id: string
  /** ISO 8601. */
  decided_at: string
  /** The lead's facts; null after an erasure, or if a person decided. */
  facts: Facts | null
  by_hand: boolean
  was: MessageOutcome
}

export interface Replayed extends PastDecision {
  /** The outcome under the other rules; null if the lead's facts are unknown. */
  would_be: MessageOutcome | null
  /** Whether the outcome or the agent differs. */
  differs: boolean
}

/**
 * Replays past decisions, oldest first, with other rules. The agents have their current availability. They start with no leads and
 * reset rotations, and get leads only from the replay. A waiting lead is retried until an agent can take it, for up to 72 hours of
 * replayed time. All retries run before the next lead, so leads that arrived in the meantime come after it. An offer remains an offer,
 * because no one knows who would have claimed it. Reads lazily.
 */
export async function* backtest(
  decisions: Iterable<PastDecision> | AsyncIterable<PastDecision>,
  rules: CompiledRules,
  agents: readonly Agent[],
): AsyncGenerator<Replayed> {
  const decide = openReplay(rules, agents)
  for await (const past of decisions) {
    const would_be = past.facts === null ? null : decide(past.facts, new Date(past.decided_at))
    yield { ...past, would_be, differs: would_be !== null && isAnother(past.was, would_be) }
  }
}

const isAnother = (was: MessageOutcome, wouldBe: MessageOutcome) =>
  was.outcome !== wouldBe.outcome || was.assignee_id !== wouldBe.assignee_id

const hourMs = 3_600_000
/** How long a waiting lead is retried, in replayed time. */
const patienceMs = 72 * hourMs

function openReplay(
  rules: CompiledRules,
  agents: readonly Agent[],
): (facts: Facts, at: Date) => MessageOutcome {
  const present = agents.map((agent): Agent => ({ ...agent, open: 0, last_assigned_at: null, recent: [] }))
  const cursors = new Map<string, Cursor>()
  const caps = [...rules.set.rules, rules.set.default].map((rule) => rule.caps)
  const remembered = Math.max(...caps.map(({ per_hour, per_day }) => Math.max(per_hour ?? 0, per_day ?? 0)))

  function decideAt(facts: Facts, at: Date): Decision {
    const decision = decideRoute({ facts, rules, agents: present, cursors, at })
    cursors.set(decision.matched_rule.id, decision.cursor.after)
    const assignee = present.find(({ id }) => id === decision.assignee_id)
    if (assignee !== undefined) {
      assignee.open++
      assignee.last_assigned_at = at.getTime()
      assignee.recent = [at.getTime(), ...assignee.recent].slice(0, remembered)
    }
    return decision
  }

  return (facts, at) => {
    let moment = at.getTime()
    let decision = decideAt(facts, at)
    while (waits(decision) && moment < at.getTime() + patienceMs) {
      moment = decision.until ?? moment + hourMs
      decision = decideAt(facts, new Date(moment))
    }
    const { outcome, assignee_id, matched_rule: rule } = decision
    const decided_at = new Date(moment).toISOString()
    return { outcome, assignee_id, rule_id: rule.id, rule_name: rule.name, decided_at }
  }
}

const waits = ({ outcome }: Decision) => outcome === 'held' || outcome === 'unassigned'
