import type { Condition, Fallback, Pool } from './rule.ts'

/** A member, team, or office that a rule names, with its path in the document. */
export interface Reference {
  /** `rules.3.pool.members.0`. */
  path: string
  kind: 'member' | 'team' | 'office'
  id: string
}

/** All references in a document or a rule set. Paths use the rules' order in it. */
export const referencesOf = ({ default: fallback, rules }: NamingRules): Reference[] => [
  ...(fallback === undefined ? [] : referencesIn(fallback, 'default')),
  ...rules.flatMap((rule, i) => [
    ...conditionReferences(rule.conditions ?? { all: [] }, `rules.${i}.conditions`),
    ...referencesIn(rule, `rules.${i}`),
  ]),
]

/** The parts of a document or a rule set that contain references. */
interface NamingRules {
  default?: Naming
  rules: readonly (Naming & { conditions?: Condition })[]
}

interface Naming {
  pool: Partial<Pool>
  weights?: Readonly<Record<string, number>>
  fallback?: readonly Fallback[]
}

function referencesIn({ pool, weights = {}, fallback = [] }: Naming, path: string): Reference[] {
  const { members = [], team_id = null, office_id = null } = pool
  return [
    ...members.map((id, i): Reference => ({ path: `${path}.pool.members.${i}`, kind: 'member', id })),
    ...named(team_id, 'team', `${path}.pool.team_id`),
    ...named(office_id, 'office', `${path}.pool.office_id`),
    ...Object.keys(weights).flatMap((id) => named(id, 'member', `${path}.weights.${id}`)),
    ...fallback.flatMap((step, i) =>
      'member_id' in step ? named(step.member_id, 'member', `${path}.fallback.${i}.member_id`) : [],
    ),
  ]
}

const named = (id: string | null, kind: Reference['kind'], path: string): Reference[] =>
  id === null ? [] : [{ path, kind, id }]

function conditionReferences(condition: Condition, path: string): Reference[] {
  const inside = (parts: readonly Condition[], group: string) =>
    parts.flatMap((part, i) => conditionReferences(part, `${path}.${group}.${i}`))
  if ('all' in condition) return inside(condition.all, 'all')
  if ('any' in condition) return inside(condition.any, 'any')
  if ('none' in condition) return inside(condition.none, 'none')
  const { field, operator, value } = condition
  const kind = kinds[field]
  if (kind === undefined) return []
  if (operator === 'eq' || operator === 'neq') return named(String(value), kind, `${path}.value`)
  const isList = (operator === 'in' || operator === 'not_in') && Array.isArray(value)
  return isList ? value.flatMap((id, i) => named(String(id), kind, `${path}.value.${i}`)) : []
}

const kinds: Readonly<Record<string, Reference['kind'] | undefined>> = {
  team_id: 'team',
  office_id: 'office',
}
