import type { RoutingMethod, Rule } from '../rules/rule.ts'
import type { Candidate, Decision, Exclusion } from './decision.ts'

/** Explains the decision in one sentence, without personal data. */
export function decisionReason(decision: Omit<Decision, 'reason'>, rule: Rule, isDefault: boolean): string {
  const matched = isDefault ? 'No rule matched, so the default rule decides' : `“${rule.name}” matched`
  const passed = decision.fallback_used.length === 0 ? '' : ` (${decision.fallback_used.join('; ')})`
  return `${matched}${passed}, ${outcomeOf(decision, rule)}.`
}

function outcomeOf(decision: Omit<Decision, 'reason'>, { claim_seconds }: Rule): string {
  const { outcome, method, assignee_id, offered_to, until } = decision
  switch (outcome) {
    case 'assigned':
      return `and ${assignments[method ?? 'direct'](assignee_id ?? '')}`
    case 'offered':
      return `and ${membersOf(offered_to)} may claim it for ${claim_seconds} seconds`
    case 'pond':
      return `and it lies in a pond of ${membersOf(offered_to)}`
    case 'held':
      return `and keeps the lead until its hours begin at ${new Date(until ?? 0).toISOString()}`
    case 'unassigned':
      return `but no member can take the lead now${summaryOf(decision.candidates)}`
  }
}

const turn = (id: string) => `it is the turn of member ${id}`

const assignments: Record<RoutingMethod, (id: string) => string> = {
  direct: (id) => `it goes to member ${id}`,
  sticky: (id) => `member ${id} has the contact already`,
  round_robin: turn,
  weighted: (id) => `by the weights ${turn(id)}`,
  least_recently_assigned: (id) => `member ${id} has waited longest`,
  least_loaded: (id) => `by the open leads ${turn(id)}`,
  first_to_claim: turn,
  pond: turn,
}

const membersOf = ({ length }: readonly string[]) => (length === 1 ? '1 member' : `${length} members`)

const exclusionWords: Record<Exclusion, string> = {
  inactive: 'inactive',
  paused: 'paused',
  off_shift: 'off shift',
  cap_open: 'at the cap of open leads',
  cap_per_hour: 'at the cap of an hour',
  cap_per_day: 'at the cap of a day',
  weight_zero: 'without a share',
}

/** Counts the candidates that each reason excludes. One candidate can have several reasons. */
function summaryOf(candidates: readonly Candidate[]): string {
  const counts = new Map<Exclusion, number>()
  for (const reason of candidates.flatMap((one) => one.excluded_reasons)) {
    counts.set(reason, (counts.get(reason) ?? 0) + 1)
  }
  if (counts.size === 0) return ''
  const parts = [...counts].map(([reason, count]) => `${count} ${exclusionWords[reason]}`)
  const all = candidates.length === 1 ? '1 candidate' : `${candidates.length} candidates`
  return `: of ${all}, ${parts.join(', ')}`
}
