import type { Hours } from '../../routing/public.ts'

/** In milliseconds since the epoch; `end` is exclusive. */
export interface Interval {
  start: number
  end: number
}

interface Working {
  /** Local working hours. An empty list means any hour. */
  shifts: readonly Hours[]
  /** An IANA name. */
  timezone: string
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The parts of the range that are within a shift and not taken, in chronological order. */
export function freeTime(working: Working, taken: readonly Interval[], range: Interval): Interval[] {
  let free = joined(worked(working, range))
  for (const busy of taken) free = free.flatMap((one) => without(one, busy))
  return free
}

/** Splits the range at clock changes. Between two of them, local time has a constant offset from UTC. */
function worked({ shifts, timezone }: Working, range: Interval): Interval[] {
  if (shifts.length === 0) return [range]
  return betweenChanges(range, timezone).flatMap(({ start, end, offset }) =>
    shifts
      .flatMap((shift) => localWindows(shift, start + offset, end + offset))
      .map((local) => ({
        start: Math.max(start, local.start - offset),
        end: Math.min(end, local.end - offset),
      }))
      .filter((one) => one.start < one.end),
  )
}

function betweenChanges({ start, end }: Interval, timezone: string): (Interval & { offset: number })[] {
  const parts: (Interval & { offset: number })[] = []
  for (let at = start; at < end;) {
    const here = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone)
    const change = here.getTimeZoneTransition('next')?.epochMilliseconds ?? end
    const until = Math.min(end, change)
    parts.push({ start: at, end: until, offset: here.offsetNanoseconds / 1_000_000 })
    at = until
  }
  return parts
}

/**
 * The windows of a shift on each local day that can overlap the range. A shift that passes midnight starts the day
 * before.
 */
function localWindows({ days, from, to }: Hours, start: number, end: number): Interval[] {
  const [opens, closes] = [minutesOf(from) * minuteMs, minutesOf(to) * minuteMs]
  const length = closes > opens ? closes - opens : closes - opens + dayMs
  const windows: Interval[] = []
  for (let day = Math.floor(start / dayMs) - 1; day * dayMs < end; day++)
    if (days.includes(weekdayOf(day)))
      windows.push({ start: day * dayMs + opens, end: day * dayMs + opens + length })
  return windows
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))

/** The weekday of a day number since the epoch, which was a Thursday. */
const weekdayOf = (day: number) => weekdays[(((day + 3) % 7) + 7) % 7] ?? 'mon'

/** Merges overlapping and adjacent intervals, in chronological order. */
function joined(intervals: readonly Interval[]): Interval[] {
  const whole: Interval[] = []
  for (const { start, end } of intervals.toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1)
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end)
    else whole.push({ start, end })
  }
  return whole
}

const without = ({ start, end }: Interval, busy: Interval): Interval[] =>
  busy.end <= start || busy.start >= end
    ? [{ start, end }]
    : [
        { start, end: busy.start },
        { start: busy.end, end },
      ].filter((one) => one.start < one.end)
