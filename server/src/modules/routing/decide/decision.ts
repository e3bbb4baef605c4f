import type { Role } from '../../workspaces/public.ts'
import type { FailingCondition } from '../rules/facts.ts'
import type { Hours, RoutingMethod } from '../rules/rule.ts'

/** What decisions need to know about a member of the workspace. */
export interface Agent {
  id: string
  role: Role
  /** Whether the member's role can work leads. */
  works_leads: boolean
  active: boolean
  office_id: string | null
  team_ids: readonly string[]
  /** When the pause ends, in epoch milliseconds; Infinity for a pause without an end, null if not paused. */
  paused_until: number | null
  /** When they take leads; an empty list means always. */
  shifts: readonly Hours[]
  /** The time zone of the shifts; null for the rule set's time zone. */
  timezone: string | null
  /** Their leads that are neither converted nor disqualified. */
  open: number
  /** Epoch milliseconds; null if they never had a lead. */
  last_assigned_at: number | null
  /** When they were assigned leads in the last 26 hours, newest first, as many as the caps need. Epoch milliseconds. */
  recent: readonly number[]
}

/** The state of a rule's rotation. Only `rotation.ts` interprets it. */
export interface Cursor {
  /** The member that `round_robin` chose last. */
  after?: string
  /** How many leads `weighted` owes each member, between -1 and 1. */
  owed?: Record<string, number>
  /** The last picks of `least_loaded`, newest first. */
  lately?: string[]
}

export interface Considered {
  rule_id: string
  name: string
  matched: boolean
  failing_conditions: FailingCondition[]
}

export const exclusions = [
  'inactive',
  'paused',
  'off_shift',
  'cap_open',
  'cap_per_hour',
  'cap_per_day',
  'weight_zero',
] as const
export type Exclusion = (typeof exclusions)[number]

export interface Candidate {
  member_id: string
  eligible: boolean
  excluded_reasons: Exclusion[]
  /** 1 except for `weighted`. */
  weight: number
  /** The position in the rotation among the eligible agents, from 1; null if not in the rotation. */
  position: number | null
}

export type RoutingOutcome = 'assigned' | 'offered' | 'pond' | 'held' | 'unassigned'

/** Who gets a lead, and why. */
export interface Decision {
  outcome: RoutingOutcome
  /** The winning rule; the default rule if no other matched. */
  matched_rule: { id: string; name: string; version: number }
  /** The method that decided; null if none found an agent or the rule holds the lead. */
  method: RoutingMethod | null
  assignee_id: string | null
  /** Who may claim the lead, for `first_to_claim` and `pond`. */
  offered_to: string[]
  /** When the offer ends or the rule's hours begin, in epoch milliseconds; null for neither. */
  until: number | null
  /** The step that decided: 0 is the rule's method, 1 its first fallback, and so on. */
  step: number
  candidates: Candidate[]
  cursor: { before: Cursor; after: Cursor }
  /** Steps that found no agent or whose offer was not claimed, with the reason: `round_robin: no eligible member`. */
  fallback_used: string[]
  /** Tags to add to the contact. */
  tags: string[]
  /** One sentence for people, without personal data. */
  reason: string
}
