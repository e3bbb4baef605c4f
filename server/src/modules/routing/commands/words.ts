import type { Considered } from '../decide/decision.ts'
import type { Condition, Fallback, Hours, Pool, Rule } from '../rules/rule.ts'
import type { Names } from './names.ts'

type Operator = Considered['failing_conditions'][number]['operator']

const operatorWords: Record<Operator, string> = {
  eq: 'is',
  neq: 'is not',
  in: 'is one of',
  not_in: 'is none of',
  contains: 'contains',
  starts_with: 'starts with',
  exists: 'is given',
  not_exists: 'is not given',
  gt: '>',
  gte: '≥',
  lt: '<',
  lte: '≤',
  between: 'is within',
  has_any: 'has any of',
  has_all: 'has all of',
  has_none: 'has none of',
  time_between: 'is within',
}

/** A condition on one line; '' for a condition that always holds. */
function conditionText(condition: Condition, names: Names, nested = false): string {
  if ('field' in condition) {
    const { field, operator, value } = condition
    return testText({ field, operator, expected: value }, names)
  }
  const all = (parts: readonly Condition[]) => parts.map((part) => conditionText(part, names, true))
  if ('none' in condition) return `not (${all(condition.none).join(' or ')})`
  const text = 'all' in condition ? all(condition.all).join(' and ') : all(condition.any).join(' or ')
  const parts = 'all' in condition ? condition.all : condition.any
  return nested && parts.length > 1 ? `(${text})` : text
}

const testText = (
  { field, operator, expected }: { field: string; operator: Operator; expected?: unknown },
  names: Names,
) =>
  [
    field,
    operatorWords[operator],
    ...(expected === undefined || expected === null ? [] : [valueText(expected, names, operator)]),
  ].join(' ')

const shownItems = 6

/** A value as people write it. Shortens long lists and texts. */
function valueText(value: unknown, names: Names, operator?: Operator): string {
  if (Array.isArray(value)) {
    const items = value.slice(0, shownItems).map((item) => valueText(item, names))
    if (operator === 'between' || operator === 'time_between') return items.join(' to ')
    const more = value.length > shownItems ? [`… ${value.length - shownItems} more`] : []
    return `[${[...items, ...more].join(', ')}]`
  }
  if (typeof value === 'number') return value.toLocaleString('en-US')
  return typeof value === 'string' ? shortened(names.of(value)) : JSON.stringify(value)
}

const shortened = (text: string) => (text.length > 60 ? `${Array.from(text).slice(0, 60).join('')}…` : text)

/** Why a rule does not match, on one line; '' if it does. */
export const failureText = ({ failing_conditions }: Considered, names: Names): string =>
  failing_conditions.map((one) => oneFailure(one, names)).join('; ')

function oneFailure(
  { field, operator, expected, actual, negated }: Considered['failing_conditions'][number],
  names: Names,
): string {
  if (field === 'enabled') return 'it is off'
  if (field === 'schedule') return `it takes leads ${hoursText([expected as Hours])}, not ${String(actual)}`
  const asked = testText({ field, operator, expected }, names)
  if (negated === true) return `it must not be that ${asked}`
  const isSilent = actual === null || actual === undefined || (Array.isArray(actual) && actual.length === 0)
  const said = isSilent ? 'nothing is said' : `it is ${valueText(actual, names)}`
  return `${asked}, but ${said}`
}

/** Who may be chosen. */
export function poolText({ members, team_id, office_id, role, everyone }: Pool, names: Names): string {
  if (everyone) return 'everybody'
  const groups = [
    ...(team_id === null ? [] : [`team “${names.of(team_id)}”`]),
    ...(office_id === null ? [] : [`office “${names.of(office_id)}”`]),
    ...(role === null ? [] : [`every ${role}`]),
  ]
  return [...groups, ...members.map(names.of)].join(', ')
}

/** How a rule chooses, and its fallbacks. */
export const methodText = ({ method, fallback }: Rule, names: Names): string =>
  [method, ...fallback.map((step) => stepText(step, names))].join(', else ')

const stepText = (step: Fallback, names: Names) => ('method' in step ? step.method : names.of(step.member_id))

/** Which leads a rule takes, and at which hours. */
export function leadsText({ conditions, schedule }: Rule, names: Names): string {
  const condition = conditionText(conditions, names) || 'all'
  if (schedule === null) return condition
  const otherwise = schedule.outside === 'hold' ? 'held at other hours' : 'not at other hours'
  return `${condition}; ${hoursText([schedule])}, ${otherwise}`
}

const week: readonly Hours['days'][number][] = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']

/** Hours of the week; `always` for an empty list. */
export const hoursText = (all: readonly Hours[]): string =>
  all.length === 0
    ? 'always'
    : all
        .map(({ days, from, to }) => `${daysText(days)} ${from === to ? 'all day' : `${from}–${to}`}`)
        .join(', ')

/** `mon–fri`, `tue sat`, `every day`. */
function daysText(days: Hours['days']): string {
  if (week.every((day) => days.includes(day))) return 'every day'
  const places = week.flatMap((day, i) => (days.includes(day) ? [i] : []))
  const [first = 0] = places
  const last = places.at(-1) ?? first
  const isRun = places.length > 2 && last - first === places.length - 1
  return isRun ? `${week[first]}–${week[last]}` : places.map((place) => week[place]).join(' ')
}
