import type { Method, Operator } from './rule.ts'

/** What is known of a lead when it is routed. */
export interface Facts {
  source: string
  stage?: string
  tags: readonly string[]
  zip?: string
  city?: string
  state?: string
  price?: number
  area_code?: string
  has_phone?: boolean
  has_email?: boolean
  office_id?: string
  team_id?: string
  consent_status?: 'none' | 'insufficient' | 'sufficient'
  context: Readonly<Record<string, unknown>>
  /** The member who has the contact already. */
  owner_id: string | null
}

/** Where a rule's rotation stands. Kept as it is; what it says belongs to `rotation.ts`. */
export interface Cursor {
  /** The member that `round_robin` chose last. */
  after?: string
  /** What each member is owed by `weighted`, in leads; between -1 and 1. */
  owed?: Record<string, number>
  /** Whom `least_loaded` chose lately, newest first. */
  lately?: string[]
}

export interface FailingCondition {
  /** A condition's field, or `enabled` or `schedule`. */
  field: string
  operator: Operator
  expected: unknown
  /** Null where the lead says nothing. */
  actual: unknown
  /** It held, and stands in a `none`. */
  negated?: true
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
  /** 1 but for `weighted`. */
  weight: number
  /** Whose turn it is, from 1 on, among the eligible; null for the others. */
  position: number | null
}

export type Outcome = 'assigned' | 'offered' | 'pond' | 'held' | 'unassigned'

/** Who gets a lead, and why. */
export interface Decision {
  outcome: Outcome
  /** The winning rule; the default rule when no other matched. */
  matched_rule: { id: string; name: string; version: number }
  /** How the outcome came about; null when nothing worked. */
  method: Method | null
  assignee_id: string | null
  /** Who may claim it, of `first_to_claim` and `pond`. */
  offered_to: string[]
  /** Epoch milliseconds: when a claim comes too late, or when held hours begin. */
  until: number | null
  /** The step that made it: 0 the rule's method, then its fallbacks. */
  step: number
  candidates: Candidate[]
  cursor: { before: Cursor; after: Cursor }
  /** What had to be passed by, in words: `round_robin: nobody eligible`. */
  fallback_used: string[]
  /** Tags for the contact. */
  tags: string[]
  /** One sentence for people; no personal data. */
  reason: string
}
