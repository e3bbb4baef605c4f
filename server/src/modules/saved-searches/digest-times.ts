import type { SavedSearch } from './saved-search.ts'

type Timed = Pick<SavedSearch, 'id' | 'frequency' | 'created_at'>

const hour = 8
/** Over so many seconds the digests of a workspace are spread. */
const spread = 30 * 60
/** A digest that is late goes out before this hour, or else the next morning. */
const latestHour = 20

const localTime = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)

/** Always the same of a search. */
const offsetOf = (id: string) => Number.parseInt(id.slice(-6), 36) % spread

/**
 * The next moment of a search's digest after this one: within half an hour from 8:00 in the time zone, every day, or every
 * week on the day on which the search was created.
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

/** Whether a digest may go out now. A worker that was away does not write to people at night. */
export function isDaytime(timezone: string, now: Date): boolean {
  const local = localTime(now, timezone)
  return local.hour >= hour && local.hour < latestHour
}
