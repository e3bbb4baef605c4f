import type { Issue } from '#kernel/errors.ts'
import { timezoneIssues } from '#kernel/timezones.ts'
import type { RuleDraft } from './rule-schema.ts'
import type { Fallback, RoutingMethod } from './rule.ts'

/** The valid members of a rule. Invalid or missing members are undefined. */
export type ValidParts = { [K in keyof RuleDraft]?: RuleDraft[K] | undefined }

/** Finds issues that the schema cannot express, most of them between members of a rule. */
export function ruleIssues(rule: ValidParts, path: string): Issue[] {
  return [
    ...timezoneIssues(rule.schedule?.timezone, `${path}.schedule.timezone`),
    ...poolIssues(rule, `${path}.pool`),
    ...weightIssues(rule, `${path}.weights`),
    ...fallbackIssues(rule, `${path}.fallback`),
  ]
}

function poolIssues({ method, pool }: ValidParts, path: string): Issue[] {
  if (pool === undefined) return []
  const { members = [], team_id = null, office_id = null, role = null, everyone = false } = pool
  const isGroup = team_id !== null || office_id !== null || role !== null || everyone
  if (members.length === 0 && !isGroup) {
    return [{ path, message: 'must name members, team_id, office_id, role or everyone' }]
  }
  return method === 'direct' && (isGroup || members.length !== 1)
    ? [{ path, message: 'must be exactly one member with the method direct' }]
    : []
}

function weightIssues({ method, fallback, pool, weights = {} }: ValidParts, path: string): Issue[] {
  const ids = Object.keys(weights)
  if (ids.length === 0 || method === undefined || fallback === undefined || pool === undefined) return []
  if (method !== 'weighted' && !fallback.some((step) => isMethod(step, 'weighted'))) {
    return [{ path, message: 'require the method weighted, in the rule or in a fallback' }]
  }
  const { members = [], team_id = null, office_id = null, role = null, everyone = false } = pool
  if (team_id !== null || office_id !== null || role !== null || everyone) return []
  const inside = new Set(members)
  const outside = ids.filter((id) => !inside.has(id))
  if (outside.length > 0) {
    return outside.map((id) => ({ path: `${path}.${id}`, message: 'is not in the pool' }))
  }
  return members.every((id) => weights[id] === 0) ? [{ path, message: 'must not all be 0' }] : []
}

const isMethod = (step: Fallback, method: RoutingMethod) => 'method' in step && step.method === method

function fallbackIssues({ method, fallback }: ValidParts, path: string): Issue[] {
  if (fallback === undefined) return []
  if (method === 'first_to_claim' && fallback.length === 0) {
    return [{ path, message: 'must say what happens if the lead is not claimed' }]
  }
  const pond = fallback.findIndex((step) => isMethod(step, 'pond'))
  const unreached = pond === -1 ? [] : [...fallback.keys()].slice(pond + 1)
  return unreached.map((i) => ({
    path: `${path}.${i}`,
    message: 'is never reached: the pond keeps the lead',
  }))
}
