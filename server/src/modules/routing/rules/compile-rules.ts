import { foldText } from '#kernel/conditions/operators.ts'
import { type PreparedCondition, prepareCondition } from './condition.ts'
import type { Facts } from './facts.ts'
import type { Condition, Rule, RuleSet, Test } from './rule.ts'

/** The fields by which rules are indexed. */
const indexedFields = [
  'source',
  'zip',
  'city',
  'state',
  'area_code',
  'office_id',
  'team_id',
  'stage',
  'tags',
] as const
type IndexedField = (typeof indexedFields)[number]

export interface CompiledRule {
  rule: Rule
  condition: PreparedCondition
}

/** Rules prepared for many decisions. A decision tries only the rules that could match. */
export interface CompiledRules {
  set: RuleSet
  /** All rules of the set, including disabled ones, in the order in which they are tried. */
  rules: readonly CompiledRule[]
  /** Enabled rules that require one of certain values, by field and folded value: ascending positions in `rules`. */
  index: ReadonlyMap<IndexedField, ReadonlyMap<string, readonly number[]>>
  /** Ascending positions of the enabled rules that require no indexed value and are always tried. */
  unanchored: readonly number[]
}

export function compileRules(set: RuleSet): CompiledRules {
  const enabled = [...set.rules.entries()].filter(([, { enabled: on }]) => on)
  const uses = countUses(enabled.map(([, { conditions }]) => conditions))
  const index = new Map<IndexedField, Map<string, number[]>>()
  const unanchored: number[] = []
  for (const [position, { conditions }] of enabled) {
    const anchor = anchorOf(conditions, uses)
    if (anchor === undefined) unanchored.push(position)
    for (const { field, value } of anchor ?? []) {
      const values = index.get(field) ?? new Map<string, number[]>()
      const positions = values.get(value) ?? []
      positions.push(position)
      index.set(field, values.set(value, positions))
    }
  }
  return {
    set,
    rules: set.rules.map((rule) => ({ rule, condition: prepareCondition(rule.conditions) })),
    index,
    unanchored,
  }
}

/** The enabled rules that could match, in the order in which they are tried. Includes every rule that matches. */
export function* possibleRules(compiled: CompiledRules, facts: Facts): Generator<CompiledRule> {
  const lists = [compiled.unanchored]
  for (const [field, values] of compiled.index) {
    for (const said of valuesOf(facts, field)) {
      const positions = values.get(foldText(said))
      if (positions !== undefined) lists.push(positions)
    }
  }
  const read = lists.map(() => 0)
  for (;;) {
    let next = Infinity
    for (const [i, list] of lists.entries()) next = Math.min(next, list[read[i] ?? 0] ?? Infinity)
    const rule = compiled.rules[next]
    if (rule === undefined) return
    yield rule
    for (const [i, list] of lists.entries()) if (list[read[i] ?? 0] === next) read[i] = (read[i] ?? 0) + 1
  }
}

function valuesOf(facts: Facts, field: IndexedField): readonly string[] {
  if (field === 'tags') return facts.tags
  const value = facts[field]
  return value === undefined ? [] : [value]
}

/** A value that a lead must have for a rule to match. */
interface Anchor {
  field: IndexedField
  value: string
}

/** How many rules test each value. */
type Uses = ReadonlyMap<string, number>

const keyOf = ({ field, value }: Anchor) => `${field} ${value}`

function countUses(conditions: readonly Condition[]): Uses {
  const uses = new Map<string, number>()
  for (const condition of conditions) {
    for (const key of new Set(anchorsIn(condition).map(keyOf))) uses.set(key, (uses.get(key) ?? 0) + 1)
  }
  return uses
}

const anchorsIn = (condition: Condition): Anchor[] => {
  if ('all' in condition) return condition.all.flatMap(anchorsIn)
  if ('any' in condition) return condition.any.flatMap(anchorsIn)
  return 'none' in condition ? [] : anchorsOfTest(condition)
}

/** Values of which a lead must have at least one for the condition to hold; undefined if none. Prefers values that few rules test. */
function anchorOf(condition: Condition, uses: Uses): Anchor[] | undefined {
  if ('all' in condition) {
    const anchors = condition.all.flatMap((one) => {
      const anchor = anchorOf(one, uses)
      return anchor === undefined ? [] : [anchor]
    })
    return anchors.sort((a, b) => costOf(a, uses) - costOf(b, uses) || a.length - b.length)[0]
  }
  if ('any' in condition) {
    const anchors = condition.any.map((one) => anchorOf(one, uses))
    return anchors.every((anchor) => anchor !== undefined) ? distinct(anchors.flat()) : undefined
  }
  if ('none' in condition) return undefined
  const anchor = anchorsOfTest(condition)
  return anchor.length === 0 ? undefined : distinct(anchor)
}

/** The most rules that a lead with one of these values has to try. */
const costOf = (anchor: readonly Anchor[], uses: Uses): number =>
  Math.max(0, ...anchor.map((one) => uses.get(keyOf(one)) ?? 0))

/** The folded values of which a lead must have at least one to pass the test; empty if the test cannot be indexed. */
function anchorsOfTest({ field, operator, value }: Test): Anchor[] {
  const indexed = indexedFields.find((one) => one === field)
  const isEquality = indexed === 'tags' ? operator === 'has_any' : operator === 'eq' || operator === 'in'
  const values = [value].flat()
  if (indexed === undefined || !isEquality || !values.every((one) => typeof one === 'string')) return []
  return values.map((one) => ({ field: indexed, value: foldText(one) }))
}

const distinct = (anchors: readonly Anchor[]): Anchor[] => [
  ...new Map(anchors.map((anchor) => [keyOf(anchor), anchor])).values(),
]
