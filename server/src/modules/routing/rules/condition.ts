import type { Facts, FailingCondition } from './facts.ts'
import type { Moment } from './hours.ts'
import { type Check, checks } from './operators.ts'
import type { Condition, RuleField, Test } from './rule.ts'

/** A condition, prepared as far as it does not depend on the lead. */
export type PreparedCondition =
  | PreparedTest
  | { all: PreparedCondition[] }
  | { any: PreparedCondition[] }
  | { none: PreparedCondition[] }

interface PreparedTest {
  test: Test
  actual: (facts: Facts, moment: Moment) => unknown
  passes: Check
}

export function prepareCondition(condition: Condition): PreparedCondition {
  if ('all' in condition) return { all: condition.all.map(prepareCondition) }
  if ('any' in condition) return { any: condition.any.map(prepareCondition) }
  if ('none' in condition) return { none: condition.none.map(prepareCondition) }
  return {
    test: condition,
    actual: reader(condition.field),
    passes: checks[condition.operator](condition.value),
  }
}

/** Whether the condition holds for the lead. */
export function holds(condition: PreparedCondition, facts: Facts, moment: Moment): boolean {
  if ('test' in condition) return condition.passes(condition.actual(facts, moment))
  if ('all' in condition) return condition.all.every((one) => holds(one, facts, moment))
  if ('any' in condition) return condition.any.some((one) => holds(one, facts, moment))
  return !condition.none.some((one) => holds(one, facts, moment))
}

/**
 * The tests that keep the condition from holding; empty if and only if it holds. For an `any` these are all its tests, for
 * a `none` those that hold, marked `negated`. The parser rejects an empty `any` or `none`, which has no tests to name.
 */
export const failingConditions = (condition: PreparedCondition, facts: Facts, moment: Moment) =>
  inTheWay(condition, true, facts, moment)

/** The tests that keep the condition from having the wanted value. */
function inTheWay(
  condition: PreparedCondition,
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

function reader(field: RuleField): PreparedTest['actual'] {
  if (field === 'time') return (_, moment) => moment.local(moment.timezone).time
  if (!isContextField(field)) return (facts) => facts[field]
  const path = field.slice('context.'.length).split('.')
  return ({ context }) => path.reduce<unknown>(ownMember, context)
}

const isContextField = (field: RuleField): field is `context.${string}` => field.startsWith('context.')

/** An own member of an object, so that no path reaches the prototype. */
const ownMember = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
