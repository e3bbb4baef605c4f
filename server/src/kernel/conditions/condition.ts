import type { Moment } from './hours.ts'
import { type Check, type Operator, checks } from './operators.ts'

export interface Test {
  /** A field of the registry. */
  field: string
  operator: Operator
  /** Absent with `exists` and `not_exists`. */
  value?: unknown
}

/**
 * A test, or a group. The tests of a group must all pass, at least one must pass, or none may pass. An empty `all`
 * always holds.
 */
export type Condition = Test | { all: Condition[] } | { any: Condition[] } | { none: Condition[] }

/** The type of a field's value. */
export type FieldType = 'text' | 'list' | 'number' | 'truth' | 'time' | 'anything'

/** A field that conditions can test. */
export interface ConditionField<Facts> {
  type: FieldType
  read(facts: Facts, moment: Moment): unknown
  /** The possible values, if there is a fixed set. */
  values?: readonly string[]
}

/** The fields that conditions of one kind can test. */
export interface FieldRegistry<Facts> {
  fields: Readonly<Record<string, ConditionField<Facts>>>
  /** Objects whose members are not declared. `context.` and a path names one. */
  open: Readonly<Record<string, (facts: Facts) => unknown>>
}

export const maxFieldLength = 200

/** The field with this name, or undefined. */
export function fieldOf<Facts>(
  { fields, open }: FieldRegistry<Facts>,
  name: string,
): ConditionField<Facts> | undefined {
  if (Object.hasOwn(fields, name)) return fields[name]
  const opening = Object.keys(open).find((one) => name.startsWith(`${one}.`))
  const object = opening === undefined ? undefined : open[opening]
  const path = name.slice((opening?.length ?? 0) + 1).split('.')
  if (object === undefined || path.includes('') || name.length > maxFieldLength) return undefined
  return { type: 'anything', read: (facts) => path.reduce<unknown>(ownMember, object(facts)) }
}

/** A condition, with everything prepared that does not depend on the facts. */
export type Prepared<Facts> =
  | PreparedTest<Facts>
  | { all: Prepared<Facts>[] }
  | { any: Prepared<Facts>[] }
  | { none: Prepared<Facts>[] }

interface PreparedTest<Facts> {
  test: Test
  actual: ConditionField<Facts>['read']
  passes: Check
}

export interface FailingCondition {
  field: string
  operator: Operator
  expected: unknown
  /** Null if there is no value. */
  actual: unknown
  /** Set if the test passed but is in a `none`. */
  negated?: true
}

/** Prepares a condition for evaluation. A field that no longer exists has no value. */
export function prepareFor<Facts>(registry: FieldRegistry<Facts>, condition: Condition): Prepared<Facts> {
  const prepared = (parts: readonly Condition[]) => parts.map((part) => prepareFor(registry, part))
  if ('all' in condition) return { all: prepared(condition.all) }
  if ('any' in condition) return { any: prepared(condition.any) }
  if ('none' in condition) return { none: prepared(condition.none) }
  const field = fieldOf(registry, condition.field)
  return {
    test: condition,
    actual: (facts, moment) => field?.read(facts, moment),
    passes: checks[condition.operator](condition.value),
  }
}

/** Whether the condition holds for the facts. */
export function holds<Facts>(condition: Prepared<Facts>, facts: Facts, moment: Moment): boolean {
  if ('test' in condition) return condition.passes(condition.actual(facts, moment))
  if ('all' in condition) return condition.all.every((one) => holds(one, facts, moment))
  if ('any' in condition) return condition.any.some((one) => holds(one, facts, moment))
  return !condition.none.some((one) => holds(one, facts, moment))
}

/**
 * The tests that keep the condition from holding. Empty if and only if the condition holds. For an `any`, these are
 * all its tests; for a `none`, those that pass, marked `negated`. The parser rejects an empty `any` or `none`,
 * because it has no tests to report.
 */
export const failingConditions = <Facts>(
  condition: Prepared<Facts>,
  facts: Facts,
  moment: Moment,
): FailingCondition[] => inTheWay(condition, true, facts, moment)

/** The tests that keep the condition from having the wanted value. */
function inTheWay<Facts>(
  condition: Prepared<Facts>,
  wanted: boolean,
  facts: Facts,
  moment: Moment,
): FailingCondition[] {
  if ('test' in condition) {
    const actual = condition.actual(facts, moment)
    if (condition.passes(actual) === wanted) return []
    const { field, operator, value = null } = condition.test
    return [
      { field, operator, expected: value, actual: actual ?? null, ...(wanted ? {} : { negated: true }) },
    ]
  }
  if (holds(condition, facts, moment) === wanted) return []
  if ('none' in condition) return condition.none.flatMap((one) => inTheWay(one, !wanted, facts, moment))
  const parts = 'all' in condition ? condition.all : condition.any
  return parts.flatMap((one) => inTheWay(one, wanted, facts, moment))
}

/** Reads own members only, so that no path reaches the prototype. */
const ownMember = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
