/** A moment in a time zone. */
export interface ClockTime {
  /** Days since 1970-01-01. */
  day: number
  /** 0 is Monday. */
  weekday: number
  /** Whole minutes since midnight. */
  minute: number
}

const msPerDay = 86_400_000
const msPerMinute = 60_000

/** A zone's offset from UTC, and the interval in which it is known to apply: `from` inclusive, `until` exclusive. */
interface Offset {
  from: number
  until: number
  ms: number
}

/** A cache, because a conversion takes 5 µs and a zone's offset changes only about twice a year. */
const offsets = new Map<string, Offset>()

function offsetAt(zone: string, at: number): number {
  const known = offsets.get(zone)
  if (known !== undefined && known.from <= at && at < known.until) return known.ms
  const local = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone)
  const until = local.getTimeZoneTransition('next')?.epochMilliseconds ?? Number.POSITIVE_INFINITY
  const ms = local.offsetNanoseconds / 1e6
  offsets.set(zone, { from: at, until, ms })
  return ms
}

/** Converts epoch milliseconds to the local time in a zone, given by IANA name. */
export function clockTime(zone: string, at: number): ClockTime {
  const local = at + offsetAt(zone, at)
  const day = Math.floor(local / msPerDay)
  // 1970-01-01 was a Thursday.
  return {
    day,
    weekday: (((day + 3) % 7) + 7) % 7,
    minute: Math.floor((local - day * msPerDay) / msPerMinute),
  }
}

/** Converts a local time to epoch milliseconds. Correct only for times of day at which no clocks change. */
export function instantOf(zone: string, day: number, minute: number): number {
  const local = day * msPerDay + minute * msPerMinute
  const near = local - offsetAt(zone, local)
  return local - offsetAt(zone, near)
}

/** Converts `2026-07-15` to days since 1970-01-01. */
export const dayOf = (date: string): number => Date.parse(date) / msPerDay

/** Formats a local time, such as `2026-07-15T07:59-04:00`. */
export function localText(zone: string, at: number): string {
  const offset = offsetAt(zone, at)
  const minutes = Math.abs(offset) / msPerMinute
  const two = (value: number) => String(value).padStart(2, '0')
  const local = new Date(at + offset).toISOString().slice(0, '2026-07-15T07:59'.length)
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
