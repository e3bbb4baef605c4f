import type { Issue } from './errors.ts'
import { unknownName } from './http/validation.ts'

/** The issue of an unknown time zone name, if any. */
export function timezoneIssues(timezone: string | null | undefined, path: string): Issue[] {
  return timezone === undefined || timezone === null || isTimezone(timezone)
    ? []
    : [{ path, message: unknownName(timezone, timezones, 'timezone') }]
}

const timezones = Intl.supportedValuesOf('timeZone')

/** Names accepted so far, in lower case. Cannot outgrow the names that the runtime knows, aliases included. */
const accepted = new Set(timezones.map((name) => name.toLowerCase()))

/** Whether this is an IANA name. An offset such as `-05:00` is not: it has no daylight saving time. */
function isTimezone(name: string): boolean {
  // Accept only ASCII: a non-ASCII letter can have a lower case that is a letter of a name.
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false
  if (accepted.has(name.toLowerCase())) return true
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
  } catch {
    return false
  }
  accepted.add(name.toLowerCase())
  return true
}

/** The date in a time zone at a moment, as YYYY-MM-DD. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
