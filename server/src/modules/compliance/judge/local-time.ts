/** A moment in a time zone. */
export interface ClockTime {
  /** Days since 1970-01-01. */
  day: number
  /** 0 is Monday. */
  weekday: number
  /** Whole minutes since midnight. */
  minute: number
}

export const msPerDay = 86_400_000
const msPerMinute = 60_000

/** A zone's offset from UTC, and from when until when it holds. */
interface Offset {
  from: number
  until: number
  ms: number
}

/** Conversion takes 5 µs; the offset of a zone changes twice a year. */
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

/** `at`: epoch milliseconds. `zone`: an IANA name. */
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

/** Epoch milliseconds of a local time of day at which no clocks change. */
export function instantOf(zone: string, day: number, minute: number): number {
  const local = day * msPerDay + minute * msPerMinute
  const near = local - offsetAt(zone, local)
  return local - offsetAt(zone, near)
}

/** `2026-07-15` as days since 1970-01-01. */
export const dayOf = (date: string): number => Date.parse(date) / msPerDay

/** `2026-07-15T07:59-04:00`. */
export function localText(zone: string, at: number): string {
  const offset = offsetAt(zone, at)
  const minutes = Math.abs(offset) / msPerMinute
  const two = (value: number) => String(value).padStart(2, '0')
  const local = new Date(at + offset).toISOString().slice(0, '2026-07-15T07:59'.length)
  return `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
