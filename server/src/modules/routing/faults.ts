import { closest } from '#kernel/http/validation.ts'

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The words for a name that is not among those that can be there. */
export function unknownName(name: string, known: readonly string[], what = 'field'): string {
  const meant = closest(name, known)
  return `is not a known ${what}${meant === undefined ? '' : `; did you mean ${meant}?`}`
}
