import type { Fault } from '#kernel/errors.ts'
import { closest } from '#kernel/http/validation.ts'
import type { RuleDraft } from './rule-schema.ts'
import type { Fallback, Method } from './rule.ts'

/** What is sound of a rule that somebody wrote; undefined where something is wrong or missing. */
export type SoundRule = { [K in keyof RuleDraft]?: RuleDraft[K] | undefined }

/** What no schema can say: how the parts of a rule go together. */
export function ruleFaults(rule: SoundRule, path: string): Fault[] {
  return [
    ...timezoneFaults(rule.schedule?.timezone, `${path}.schedule.timezone`),
    ...poolFaults(rule, `${path}.pool`),
    ...weightFaults(rule, `${path}.weights`),
    ...fallbackFaults(rule, `${path}.fallback`),
  ]
}

/** `timezone` is undefined where none is named. */
export function timezoneFaults(timezone: string | undefined, path: string): Fault[] {
  if (timezone === undefined || isTimezone(timezone)) return []
  const meant = closest(timezone, Intl.supportedValuesOf('timeZone'))
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return [{ path, message: `is not a known timezone${hint}` }]
}

/** A name of the IANA; an offset such as `-05:00` is none, as it knows no summer. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

function poolFaults({ method, pool }: SoundRule, path: string): Fault[] {
  if (pool === undefined) return []
  const { members = [], team_id = null, office_id = null, role = null, everyone = false } = pool
  const isGroup = team_id !== null || office_id !== null || role !== null || everyone
  if (members.length === 0 && !isGroup) {
    return [{ path, message: 'must name somebody: members, team_id, office_id, role or everyone' }]
  }
  return method === 'direct' && (isGroup || members.length !== 1)
    ? [{ path, message: 'must be one member and no group with the method direct' }]
    : []
}

function weightFaults({ method, fallback, pool, weights = {} }: SoundRule, path: string): Fault[] {
  const ids = Object.keys(weights)
  if (ids.length === 0 || method === undefined || fallback === undefined || pool === undefined) return []
  if (method !== 'weighted' && !fallback.some((step) => isMethod(step, 'weighted'))) {
    return [{ path, message: 'have no meaning without the method weighted, as the rule’s or as a fallback' }]
  }
  const { members = [], team_id = null, office_id = null, role = null, everyone = false } = pool
  if (team_id !== null || office_id !== null || role !== null || everyone) return []
  const strangers = ids.filter((id) => !members.includes(id))
  if (strangers.length > 0) {
    return strangers.map((id) => ({ path: `${path}.${id}`, message: 'is not in the pool' }))
  }
  return members.every((id) => weights[id] === 0) ? [{ path, message: 'must not all be 0' }] : []
}

const isMethod = (step: Fallback, method: Method) => 'method' in step && step.method === method

function fallbackFaults({ method, fallback }: SoundRule, path: string): Fault[] {
  if (fallback === undefined) return []
  if (method === 'first_to_claim' && fallback.length === 0) {
    return [{ path, message: 'must say what follows when nobody claims' }]
  }
  const pond = fallback.findIndex((step) => isMethod(step, 'pond'))
  const unreached = pond === -1 ? [] : [...fallback.keys()].slice(pond + 1)
  return unreached.map((i) => ({
    path: `${path}.${i}`,
    message: 'is never reached: the pond keeps the lead',
  }))
}
