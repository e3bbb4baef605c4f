import type { Random } from './random.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The times of one contact's story, in ascending order. */
export interface Diary {
  readonly at: Date
  /**
   * Advances by a number of days, or by minutes or hours for zero days. Returns false and does not advance if that
   * would reach the end.
   */
  turn(minDays: number, maxDays: number): boolean
}

// In UTC. In Chicago, this is between 8 am and 7 pm in every season.
const opens = 14 * hourMs
const closes = 24 * hourMs

/**
 * Starts `daysAgo` days before the day of `end`, during working hours or, with `anyHour`, at any hour, as people at
 * home do. All later times are in working hours and before `end`.
 */
export function openDiary(
  random: Random,
  end: Date,
  { daysAgo, anyHour }: { daysAgo: number; anyHour: boolean },
): Diary {
  const dayOf = (at: Date) => Math.floor(at.getTime() / dayMs) * dayMs
  const workingHour = (day: number) => new Date(day + random.integer(opens, closes - 1))
  const first = dayOf(end) - daysAgo * dayMs
  // Mostly from breakfast until late in the evening, and some in the middle of the night.
  const localPage = () =>
    new Date(first - dayMs + (random.chance(0.92) ? random.integer(12, 29) : random.integer(29, 35)) * hourMs)
  let at = anyHour ? new Date(localPage().getTime() + random.integer(0, hourMs - 1)) : workingHour(first)

  /** Minutes later, or soon after opening on the next working morning if the office is closed by then. */
  function soon(): Date {
    const next = at.getTime() + random.integer(3 * minuteMs, 100 * minuteMs)
    const sinceMidnight = next - dayOf(at)
    if (sinceMidnight >= opens && sinceMidnight < closes) return new Date(next)
    const morning = dayOf(at) + (sinceMidnight < opens ? opens : dayMs + opens)
    return new Date(morning + random.integer(3 * minuteMs, 100 * minuteMs))
  }

  return {
    get at() {
      return at
    },
    turn(minDays, maxDays) {
      const days = random.integer(minDays, maxDays)
      const next = days === 0 ? soon() : workingHour(dayOf(at) + days * dayMs)
      if (next >= end) return false
      at = next
      return true
    },
  }
}

/** An open house on the Saturday after each of these times, without consecutive duplicates. */
export const openHousesAfter = (...times: number[]) =>
  times.map(openHouseOn).filter(({ starts_at }, n, all) => starts_at !== all[n - 1]?.starts_at)

/** Two hours on the next Saturday, starting at noon or 1 pm in Chicago, depending on the season. */
function openHouseOn(at: number) {
  const saturday = Math.floor(at / dayMs) + ((6 - new Date(at).getUTCDay() + 7) % 7 || 7)
  const time = (hour: number) => new Date(saturday * dayMs + hour * hourMs).toISOString()
  return { starts_at: time(18), ends_at: time(20) }
}
