import type { Hours } from '../../routing/public.ts'

/** Milliseconds since the epoch, `end` excluded. */
export interface Interval {
  start: number
  end: number
}

interface Working {
  /** Local hours; none for any hour. */
  shifts: readonly Hours[]
  /** IANA name. */
  timezone: string
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** The parts of the range that are within a shift and not taken, in order. */
export function freeTime(working: Working, taken: readonly Interval[], range: Interval): Interval[] {
  let free = joined(worked(working, range))
  for (const busy of taken) free = free.flatMap((one) => without(one, busy))
  return free
}

/** Between two changes of the clocks, local time is the instant and an offset. */
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

/** The hours of a shift on each local day that they can touch; those that pass midnight begin on the day before. */
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

/** Of a day since the epoch, which was a Thursday. */
const weekdayOf = (day: number) => weekdays[(((day + 3) % 7) + 7) % 7] ?? 'mon'

/** The same time in as few intervals as possible, in order. */
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
