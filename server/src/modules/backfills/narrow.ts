import type { Condition, Test } from '#kernel/conditions/condition.ts'
import { checks, foldText } from '#kernel/conditions/operators.ts'
import { type Narrowing, stages } from '../contacts/public.ts'

/** The part of a condition that SQL can test. Every contact for whom the condition holds passes it, and others may. */
export function narrowingOf(condition: Condition): Narrowing {
  const tests = testsOf(condition)
  const of = (field: string) => tests.filter((test) => test.field === field)
  const stageTests = of('contact.stage')
  const owners = common(of('contact.owner_id').flatMap(equalsOneOf))
  const sources = common(of('contact.source').flatMap(equalsOneOf))
  const tags = of('contact.tags').flatMap(hasOneOf)
  return {
    ...(stageTests.length > 0 && { stages: stages.filter((stage) => stageTests.every(accepts(stage))) }),
    ...(owners && { owners }),
    ...(sources && { sources }),
    ...(tags.length > 0 && { tags }),
  }
}

/** The tests that must hold for the condition to hold. */
function testsOf(condition: Condition): Test[] {
  if ('all' in condition) return condition.all.flatMap(testsOf)
  const [only, ...others] = 'any' in condition ? condition.any : []
  if (only !== undefined && others.length === 0) return testsOf(only)
  return 'field' in condition ? [condition] : []
}

const accepts = (value: string) => (test: Test) => checks[test.operator](test.value)(value)

/** The texts that the test accepts, folded; empty if the test is of another kind or includes numbers, which are compared as numbers. */
function equalsOneOf({ operator, value }: Test): string[][] {
  if (operator !== 'eq' && operator !== 'in') return []
  const list: unknown[] = Array.isArray(value) ? value : [value]
  return list.every((one) => typeof one === 'string') ? [list.map(foldText)] : []
}

function hasOneOf({ operator, value }: Test): string[][] {
  const [all = []] = equalsOneOf({ field: '', operator: 'in', value })
  if (operator === 'has_any' && all.length > 0) return [all]
  return operator === 'has_all' ? all.map((one) => [one]) : []
}

/** The texts that are in every list; undefined without lists. */
const common = ([first, ...others]: readonly string[][]): string[] | undefined =>
  first?.filter((one) => others.every((list) => list.includes(one)))
