import type { Condition } from '#kernel/conditions/condition.ts'
import type { Hours } from '#kernel/conditions/hours.ts'
import type { Role } from '../../workspaces/public.ts'
import { fieldsOfRules } from './rule-fields.ts'

export type { Condition, Test } from '#kernel/conditions/condition.ts'
export { type Hours, weekdays } from '#kernel/conditions/hours.ts'
export { type Operator, operators } from '#kernel/conditions/operators.ts'
export type { RuleField } from './rule-fields.ts'

/** The names of the fields that a condition can test. */
export const ruleFields = Object.keys(fieldsOfRules.fields)

/** How a rule chooses from its pool. */
export const routingMethods = [
  'direct',
  'round_robin',
  'weighted',
  'least_recently_assigned',
  'least_loaded',
  'sticky',
  'first_to_claim',
  'pond',
] as const
export type RoutingMethod = (typeof routingMethods)[number]

export interface Schedule extends Hours {
  /** IANA name. */
  timezone: string
  /** Whether, outside these hours, the rule is skipped or holds the lead until they begin. */
  outside: 'skip' | 'hold'
}

/** The members that may be chosen: everyone that any of these fields names. */
export interface Pool {
  members: string[]
  team_id: string | null
  office_id: string | null
  /** All members with this role. */
  role: Role | null
  everyone: boolean
}

/** The most open leads, and the most leads assigned within the last hour and since midnight; null for no limit. */
export interface Caps {
  open: number | null
  per_hour: number | null
  per_day: number | null
}

/** What to try next if no member was found or the offer was not claimed. */
export type Fallback = { method: Exclude<RoutingMethod, 'direct' | 'first_to_claim'> } | { member_id: string }

export interface Rule {
  id: string
  /** Increases with each change of the rule. */
  version: number
  name: string
  enabled: boolean
  /** Rules with lower numbers are tried first; on a tie, the older rule. */
  priority: number
  conditions: Condition
  schedule: Schedule | null
  method: RoutingMethod
  pool: Pool
  /** Weights by member id, for `weighted`. The default is 1; 0 excludes a member. */
  weights: Record<string, number>
  caps: Caps
  /** `existing_owner`: try the contact's owner first, in the pool or not. */
  sticky: { existing_owner: boolean }
  /** How long a `first_to_claim` offer lasts. */
  claim_seconds: number
  /** Changes to the contact when the rule matches. */
  on_match: { tags: string[] }
  fallback: Fallback[]
}

/** One version of all rules of a workspace. */
export interface RuleSet {
  /** Increases with each change; 0 for the built-in rules. */
  version: number
  /** IANA name of the time zone in which `per_day` starts at midnight and conditions test `time`. */
  timezone: string
  /** In the order in which they are tried. */
  rules: Rule[]
  /** For leads that no rule matches; its conditions and schedule are empty. */
  default: Rule
}
