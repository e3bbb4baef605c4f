import type { Condition, Test } from '#kernel/conditions/condition.ts'
import { checks, foldText } from '#kernel/conditions/operators.ts'
import { type Narrowing, stages } from '../../contacts/public.ts'

/** What SQL can test of a condition: every contact for whom it holds passes this, and others may. */
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

/** The tests that must hold if the condition does. */
function testsOf(condition: Condition): Test[] {
  if ('all' in condition) return condition.all.flatMap(testsOf)
  const [only, ...others] = 'any' in condition ? condition.any : []
  if (only !== undefined && others.length === 0) return testsOf(only)
  return 'field' in condition ? [condition] : []
}

const accepts = (value: string) => (test: Test) => checks[test.operator](test.value)(value)

/** The texts that the test lets pass, folded; none where it is no such test. Numbers are compared as numbers. */
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

/** What is in every one of the lists; undefined where there is none. */
const common = ([first, ...others]: readonly string[][]): string[] | undefined =>
  first?.filter((one) => others.every((list) => list.includes(one)))
