import type { Facts, FailingCondition } from './decision.ts'
import type { Moment } from './hours.ts'
import { type Check, checks } from './operators.ts'
import type { Condition, Field, Test } from './rule.ts'

/** A condition with everything worked out that does not depend on the lead. */
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

/** Whether the lead is as the condition says. */
export function holds(condition: PreparedCondition, facts: Facts, moment: Moment): boolean {
  if ('test' in condition) return condition.passes(condition.actual(facts, moment))
  if ('all' in condition) return condition.all.every((one) => holds(one, facts, moment))
  if ('any' in condition) return condition.any.some((one) => holds(one, facts, moment))
  return !condition.none.some((one) => holds(one, facts, moment))
}

/**
 * The tests that keep the condition from holding; none exactly when it holds. Of an `any` these are all its tests, of a
 * `none` those that hold, marked `negated`. An `any` or `none` of nothing has no tests to name; the parser refuses it.
 */
export const failingConditions = (condition: PreparedCondition, facts: Facts, moment: Moment) =>
  inTheWay(condition, true, facts, moment)

/** The tests that keep the condition from being as wanted. */
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

function reader(field: Field): PreparedTest['actual'] {
  if (field === 'time') return (_, moment) => moment.local(moment.timezone).time
  if (!isContextField(field)) return (facts) => facts[field]
  const path = field.slice('context.'.length).split('.')
  return ({ context }) => path.reduce<unknown>(ownMember, context)
}

const isContextField = (field: Field): field is `context.${string}` => field.startsWith('context.')

/** A member of an object that is its own, so that no path leads to what every object has. */
const ownMember = (value: unknown, name: string): unknown =>
  isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
