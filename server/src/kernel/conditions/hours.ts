export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/**
 * Local hours on days of the week, as `HH:MM`. If `to` is before `from`, the hours end on the next day. Equal times
 * mean a whole day.
 */
export interface Hours {
  days: Weekday[]
  from: string
  to: string
}

export const timePattern = '^([01][0-9]|2[0-3]):[0-5][0-9]$'

/** Local day and time. */
export interface LocalTime {
  day: Weekday
  yesterday: Weekday
  /** `HH:MM`. */
  time: string
}

/** The time of a decision. Local times are computed on demand and cached. */
export interface Moment {
  /** Epoch milliseconds. */
  at: number
  /** IANA name; the rule set's time zone. */
  timezone: string
  local: (timezone: string) => LocalTime
  /** The start of the day in the rule set's time zone, epoch milliseconds. */
  midnight: () => number
}

export function momentAt(at: Date, timezone: string): Moment {
  const known = new Map<string, LocalTime>()
  let midnight: number | undefined
  return {
    at: at.getTime(),
    timezone,
    local: (name) => {
      let local = known.get(name)
      if (local === undefined) known.set(name, (local = localTime(at, name)))
      return local
    },
    midnight: () => (midnight ??= zoned(at, timezone).startOfDay().epochMilliseconds),
  }
}

/** The local day and time in an IANA time zone. Throws `RangeError` for an unknown time zone. */
export function localTime(at: Date, timezone: string): LocalTime {
  const { dayOfWeek, hour, minute } = zoned(at, timezone)
  return { day: weekday(dayOfWeek), yesterday: weekday(dayOfWeek + 6), time: `${two(hour)}:${two(minute)}` }
}

/** Whether a local time is within the hours. Hours that pass midnight belong to the day on which they begin. */
export function isWithin({ days, from, to }: Hours, { day, yesterday, time }: LocalTime): boolean {
  if (from < to) return time >= from && time < to && days.includes(day)
  return (time >= from && days.includes(day)) || (time < to && days.includes(yesterday))
}

/**
 * Whether a time of day is within a span; `to` is exclusive. If `to` is before `from`, the span passes midnight.
 * Equal times mean all day.
 */
export function isTimeBetween(time: string, from: string, to: string): boolean {
  return from < to ? time >= from && time < to : time >= from || time < to
}

/** Two weeks and two days, because a clock change can swallow the hours of one week. */
const searchedDays = 16

/**
 * The first time at or after `at` that is within the hours. `hours.days` must not be empty: throws `RangeError` if
 * the hours never begin.
 */
export function nextOpening(hours: Hours & { timezone: string }, at: Date): Date {
  const isOpen = (ms: number) => isWithin(hours, localTime(new Date(ms), hours.timezone))
  if (isOpen(at.getTime())) return at
  const opening = beginnings(hours, at)
    .filter((ms) => ms > at.getTime())
    .sort((a, b) => a - b)
    .find(isOpen)
  if (opening === undefined) throw new RangeError('These hours never begin.')
  return new Date(opening)
}

/**
 * The first time at or after `at` that is within the hours in every zone. Undefined if there is none within
 * `searchedDays`.
 */
export function nextOpeningInAll(hours: Hours, zones: readonly string[], at: Date): Date | undefined {
  const end = at.getTime() + searchedDays * 86_400_000
  for (let time = at; time.getTime() <= end;) {
    const latest = new Date(
      Math.max(...zones.map((timezone) => nextOpening({ ...hours, timezone }, time).getTime())),
    )
    if (latest.getTime() === time.getTime()) return time
    time = latest
  }
  return undefined
}

/** All times within `searchedDays` at which the hours may begin: each local start time, and the next clock change. */
function beginnings({ days, from, timezone }: Hours & { timezone: string }, at: Date): number[] {
  const now = zoned(at, timezone)
  const time = Temporal.PlainTime.from(from)
  const byTheClock = Array.from({ length: searchedDays }, (_, i) => now.toPlainDate().add({ days: i }))
    .filter((date) => days.includes(weekday(date.dayOfWeek)))
    .flatMap((date) =>
      (['earlier', 'later'] as const).map((disambiguation) =>
        date.toPlainDateTime(time).toZonedDateTime(timezone, { disambiguation }),
      ),
    )
  const change = now.getTimeZoneTransition('next')
  return [...byTheClock, ...(change === null ? [] : [change])].map((moment) => moment.epochMilliseconds)
}

const zoned = (at: Date, timezone: string) =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timezone)

/** The name of an ISO weekday, 1 to 7. Numbers up to 14 wrap into the next week. */
const weekday = (number: number): Weekday => weekdays[(number - 1) % 7] ?? 'mon'

const two = (number: number) => String(number).padStart(2, '0')
