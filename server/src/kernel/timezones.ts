import type { Issue } from './errors.ts'
import { unknownName } from './http/validation.ts'
import { isTimezone, timezones } from './zone-names.ts'

/** The issue of an unknown time zone name, if any. */
export function timezoneIssues(timezone: string | null | undefined, path: string): Issue[] {
  return timezone === undefined || timezone === null || isTimezone(timezone)
    ? []
    : [{ path, message: unknownName(timezone, timezones, 'timezone') }]
}

/** The date in a time zone at a moment, as YYYY-MM-DD. */
export const dayIn = (timeZone: string, at: Date): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(at)
