/** How a rule chooses among its pool. */
export const methods = [
  'direct',
  'round_robin',
  'weighted',
  'least_recently_assigned',
  'least_loaded',
  'sticky',
  'first_to_claim',
  'pond',
] as const
export type Method = (typeof methods)[number]

/** What a condition can ask of a lead; `context.` and a path asks for anything that its context holds. */
export const fields = [
  'source',
  'stage',
  'tags',
  'zip',
  'city',
  'state',
  'price',
  'area_code',
  'has_phone',
  'has_email',
  'office_id',
  'team_id',
  'consent_status',
  'time',
] as const
export type Field = (typeof fields)[number] | `context.${string}`

export const operators = [
  'eq',
  'neq',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'exists',
  'not_exists',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'has_any',
  'has_all',
  'has_none',
  'time_between',
] as const
export type Operator = (typeof operators)[number]

export interface Test {
  field: Field
  operator: Operator
  /** Absent with `exists` and `not_exists`. */
  value?: unknown
}

/** A test, or a group of which all, any or none must hold; an empty `all` always does. */
export type Condition = Test | { all: Condition[] } | { any: Condition[] } | { none: Condition[] }

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** Local hours on some days of the week, `HH:MM`; `to` before `from` ends on the next day, equal ones are a whole day. */
export interface Hours {
  days: Weekday[]
  from: string
  to: string
}

export interface Schedule extends Hours {
  /** IANA name. */
  timezone: string
  /** Outside these hours the rule is passed over, or keeps the lead until they begin. */
  outside: 'skip' | 'hold'
}

/** Who may be chosen: everybody whom any of these names. */
export interface Pool {
  members: string[]
  team_id: string | null
  office_id: string | null
  /** Everybody with this role. */
  role: 'owner' | 'admin' | 'agent' | null
  everyone: boolean
}

/** At most so many open leads, and so many assigned within the last hour and since midnight; null is no limit. */
export interface Caps {
  open: number | null
  per_hour: number | null
  per_day: number | null
}

/** What is tried next when nobody could be chosen, or nobody claimed. */
export type Fallback = { method: Exclude<Method, 'direct' | 'first_to_claim'> } | { member_id: string }

export interface Rule {
  id: string
  /** Grows with each change of the rule. */
  version: number
  name: string
  enabled: boolean
  /** Lower ones first; among equals the older rule. */
  priority: number
  conditions: Condition
  schedule: Schedule | null
  method: Method
  pool: Pool
  /** Shares by member, for `weighted`; 1 where none is given, and 0 gets nothing. */
  weights: Record<string, number>
  caps: Caps
  /** `existing_owner`: whoever has the contact already comes first, wherever the pool. */
  sticky: { existing_owner: boolean }
  /** How long `first_to_claim` waits. */
  claim_seconds: number
  /** What matching does to the contact. */
  on_match: { tags: string[] }
  fallback: Fallback[]
}

/** All rules of a workspace, as they were at one time. */
export interface RuleSet {
  /** Grows with each change; 0 for a workspace that has never said anything. */
  version: number
  /** IANA name: whose midnight a day begins at, and the time of `time` conditions. */
  timezone: string
  /** In the order in which they are tried. */
  rules: Rule[]
  /** For leads that no rule matches; its conditions and schedule are empty. */
  default: Rule
}
