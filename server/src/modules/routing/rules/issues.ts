import type { Issue } from '#kernel/errors.ts'
import { closest } from '#kernel/http/validation.ts'

/** The message for an unknown name. */
export function unknownName(name: string, known: readonly string[], what = 'field'): string {
  const meant = closest(name, known)
  return `is not a known ${what}${meant === undefined ? '' : `; did you mean ${meant}?`}`
}

/** `timezone` is undefined if the document names none. */
export function timezoneIssues(timezone: string | undefined, path: string): Issue[] {
  if (timezone === undefined || isTimezone(timezone)) return []
  const meant = closest(timezone, Intl.supportedValuesOf('timeZone'))
  const hint = meant === undefined ? '' : `; did you mean ${meant}?`
  return [{ path, message: `is not a known timezone${hint}` }]
}

/** Whether this is an IANA name. An offset such as `-05:00` is not: it has no daylight saving time. */
function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
