import type { SavedSearch } from './saved-search.ts'

type Timed = Pick<SavedSearch, 'id' | 'frequency' | 'created_at'>

const hour = 8
/** The digests of a workspace are spread over this many seconds. */
const spread = 30 * 60
/** A late digest goes out before this hour, or else the next morning. */
const latestHour = 20

const localTime = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)

/** Derived from the ID, so it is constant for each search. */
const offsetOf = (id: string) => Number.parseInt(id.slice(-6), 36) % spread

/**
 * The time of a search's next digest after `after`: between 8:00 and 8:30 in the time zone, every day, or every week on
 * the weekday on which the search was created.
 */
export function nextDigestAt({ id, frequency, created_at }: Timed, timezone: string, after: Date): Date {
  const { dayOfWeek } = localTime(new Date(created_at), timezone)
  for (let day = localTime(after, timezone).toPlainDate(); ; day = day.add({ days: 1 })) {
    if (frequency === 'weekly' && day.dayOfWeek !== dayOfWeek) continue
    const opens = day.toZonedDateTime({ timeZone: timezone, plainTime: new Temporal.PlainTime(hour) })
    const at = new Date(opens.add({ seconds: offsetOf(id) }).epochMilliseconds)
    if (at > after) return at
  }
}

/** Whether digests may go out now. A worker that catches up after an outage does not email people at night. */
export function isDaytime(timezone: string, now: Date): boolean {
  const local = localTime(now, timezone)
  return local.hour >= hour && local.hour < latestHour
}
