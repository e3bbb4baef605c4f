import type { Issue } from './errors.ts'
import { unknownName } from './http/validation.ts'

/** What is wrong with the name of a time zone, if there is one. */
export function timezoneIssues(timezone: string | null | undefined, path: string): Issue[] {
  return timezone === undefined || timezone === null || isTimezone(timezone)
    ? []
    : [{ path, message: unknownName(timezone, timezones, 'timezone') }]
}

const timezones = Intl.supportedValuesOf('timeZone')

/** Names that were accepted, in lower case: as many as the runtime knows, aliases included. */
const accepted = new Set(timezones.map((name) => name.toLowerCase()))

/** Whether this is an IANA name. An offset such as `-05:00` is not: it has no daylight saving time. */
function isTimezone(name: string): boolean {
  // Only ASCII: the lower case of other letters can be a letter of a name.
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

/** The day that it is then in a time zone, as YYYY-MM-DD. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
