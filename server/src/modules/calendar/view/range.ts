import { ValidationFailed } from '#kernel/errors.ts'
import { custom } from '#kernel/http/filters.ts'
import { Timestamp } from '#kernel/schemas.ts'
import { momentOf } from '../../events/public.ts'

const dayMs = 24 * 3_600_000
const maxDays = 62

/** A time range; `to` is exclusive. */
export interface Range {
  from: Date
  to: Date
}

/** Query parameters for a view of several days. */
export const rangeFilters = {
  from: custom({
    ...Timestamp,
    description: 'By default a week before `to`, or else the start of today (UTC).',
  }),
  to: custom({
    ...Timestamp,
    description: `A week after \`from\` by default. At most ${maxDays} days after it.`,
  }),
}

/** Clamps to the times that a record can have. */
const within = (ms: number) =>
  new Date(Math.min(Math.max(ms, Date.parse('0001-01-01T00:00:00Z')), Date.parse('9999-12-31T23:59:59.999Z')))

/** The range that a query requests, one week by default. Throws 400 for a range that is empty or too long. */
export function requestedRange({ from, to }: { from?: string; to?: string }, now: Date): Range {
  const week = 7 * dayMs
  const first = to === undefined ? now.getTime() - (now.getTime() % dayMs) : momentOf(to) - week
  const start = from === undefined ? first : momentOf(from)
  const end = to === undefined ? start + week : momentOf(to)
  if (from !== undefined && to !== undefined) {
    if (end <= start) throw ValidationFailed([{ path: 'to', message: 'must be after from' }])
    if (end - start > maxDays * dayMs)
      throw ValidationFailed([{ path: 'to', message: `must be at most ${maxDays} days after from` }])
  }
  return { from: within(start), to: within(end) }
}

/** The first and last day in the time zone that the range touches. */
export const daysOf = ({ from, to }: Range, timezone: string) => ({
  first: dayOf(from.getTime(), timezone),
  last: dayOf(to.getTime() - 1, timezone),
})

function dayOf(ms: number, timezone: string): string {
  const day = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timezone).toPlainDate()
  if (day.year < 1) return '0001-01-01'
  return day.year > 9999 ? '9999-12-31' : day.toString()
}

/** The instant at which a day starts in a time zone. */
export const startOf = (day: string, timezone: string): string =>
  within(Temporal.PlainDate.from(day).toZonedDateTime(timezone).epochMilliseconds).toISOString()
