import { isTimeBetween } from './hours.ts'

export const operators = [
  'eq',
  'neq',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'exists',
  'not_exists',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'has_any',
  'has_all',
  'has_none',
  'time_between',
] as const
export type Operator = (typeof operators)[number]

/** Whether a value passes a test. */
export type Check = (actual: unknown) => boolean

/**
 * Builds each operator's check from the test's value. Text is folded before it is compared. A missing value (null,
 * blank text, or an empty list) passes only the negative operators. A single value counts as a list of one.
 */
export const checks: Record<Operator, (expected: unknown) => Check> = {
  eq: (expected) => isOneOf([expected]),
  neq: (expected) => not(isOneOf([expected])),
  in: (expected) => isOneOf(listOf(expected)),
  not_in: (expected) => not(isOneOf(listOf(expected))),
  contains: (expected) => {
    const isItem = isOneOf([expected])
    const part = foldText(String(expected))
    return (actual) =>
      Array.isArray(actual)
        ? actual.some(isItem)
        : hasValue(actual) && textOf(actual)?.includes(part) === true
  },
  starts_with: (expected) => {
    const start = foldText(String(expected))
    return (actual) => hasValue(actual) && textOf(actual)?.startsWith(start) === true
  },
  exists: () => hasValue,
  not_exists: () => not(hasValue),
  gt: (expected) => compared(expected, (actual, bound) => actual > bound),
  gte: (expected) => compared(expected, (actual, bound) => actual >= bound),
  lt: (expected) => compared(expected, (actual, bound) => actual < bound),
  lte: (expected) => compared(expected, (actual, bound) => actual <= bound),
  between: (expected) => {
    const [from, to] = listOf(expected).map(numberOf)
    return (actual) => {
      const number = numberOf(actual)
      return number !== undefined && number >= (from ?? Number.NaN) && number <= (to ?? Number.NaN)
    }
  },
  has_any: (expected) => {
    const isWanted = isOneOf(listOf(expected))
    return (actual) => listOf(actual).some(isWanted)
  },
  has_all: (expected) => {
    const wanted = listOf(expected).map((one) => isOneOf([one]))
    return (actual) => wanted.every((isWanted) => listOf(actual).some(isWanted))
  },
  has_none: (expected) => {
    const isUnwanted = isOneOf(listOf(expected))
    return (actual) => !listOf(actual).some(isUnwanted)
  },
  time_between: (expected) => {
    const [from, to] = listOf(expected).map(String)
    return (actual) => typeof actual === 'string' && isTimeBetween(actual, from ?? '', to ?? '')
  },
}

const not =
  (check: Check): Check =>
  (actual) =>
    !check(actual)

/** Compares numbers as numbers and everything else as text. */
function isOneOf(expected: readonly unknown[]): Check {
  const numbers = new Set(expected.filter((one) => typeof one === 'number'))
  const texts = new Set(expected.flatMap((one) => (typeof one === 'number' ? [] : (textOf(one) ?? []))))
  return (actual) => {
    if (!hasValue(actual)) return false
    const text = texts.size > 0 ? textOf(actual) : undefined
    if (text !== undefined && texts.has(text)) return true
    const number = numbers.size > 0 ? numberOf(actual) : undefined
    return number !== undefined && numbers.has(number)
  }
}

function compared(expected: unknown, holdsFor: (actual: number, bound: number) => boolean): Check {
  const bound = numberOf(expected) ?? Number.NaN
  return (actual) => {
    const number = numberOf(actual)
    return number !== undefined && holdsFor(number, bound)
  }
}

const hasValue = (actual: unknown): boolean =>
  actual !== undefined &&
  actual !== null &&
  (typeof actual !== 'string' || actual.trim() !== '') &&
  (!Array.isArray(actual) || actual.length > 0)

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value
  return hasValue(value) ? [value] : []
}

/** A text, number, or boolean as folded text. Undefined for lists and objects. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? foldText(String(value))
    : undefined

const numeric = /^\$?\s*(-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?)$/

/**
 * Reads a number, or text such as `450000`, `450,000` or `$450,000.00`. Returns undefined for anything ambiguous:
 * `450k`, a range, or a decimal comma.
 */
export function numberOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  const digits = typeof value === 'string' ? numeric.exec(value.trim())?.[1] : undefined
  return digits === undefined ? undefined : Number(digits.replaceAll(',', ''))
}

/** Folds case and accents and trims blanks: `Evanston ` becomes evanston, José becomes jose. Idempotent. */
export const foldText = (text: string): string =>
  plain.test(text)
    ? text.trim().toLowerCase()
    : text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().normalize('NFKD').trim()

/** Printable ASCII needs no normalization. */
const plain = /^[\x20-\x7e]*$/
