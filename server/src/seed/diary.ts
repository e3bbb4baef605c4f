import type { Random } from './random.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** The moments of one contact's story, each after the one before it. */
export interface Diary {
  readonly at: Date
  /** Turns to a moment so many days on, within hours for none. False, and stays, where that is not yet past. */
  turn(minDays: number, maxDays: number): boolean
}

// Eight in the morning to seven in the evening in Chicago, whatever the season.
const opens = 14 * hourMs
const closes = 24 * hourMs

/**
 * Begins `daysAgo` before the day of `end`, which nothing reaches; in working hours, or `anyHour`, as people at home do.
 * Then all happens in working hours.
 */
export function openDiary(
  random: Random,
  end: Date,
  { daysAgo, anyHour }: { daysAgo: number; anyHour: boolean },
): Diary {
  const dayOf = (at: Date) => Math.floor(at.getTime() / dayMs) * dayMs
  const workingHour = (day: number) => new Date(day + random.integer(opens, closes - 1))
  const first = dayOf(end) - daysAgo * dayMs
  // Mostly after breakfast and until late, and some in the dead of night.
  const localPage = () =>
    new Date(first - dayMs + (random.chance(0.92) ? random.integer(12, 29) : random.integer(29, 35)) * hourMs)
  let at = anyHour ? new Date(localPage().getTime() + random.integer(0, hourMs - 1)) : workingHour(first)

  /** Minutes later; or in the first hours of the next morning, when the office is closed by then. */
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

/** An open house on the Saturday after each of these times, one after the other. */
export const openHousesAfter = (...times: number[]) =>
  times.map(openHouseOn).filter(({ starts_at }, n, all) => starts_at !== all[n - 1]?.starts_at)

/** Two hours of the next Saturday in Chicago, from noon or one on. */
function openHouseOn(at: number) {
  const saturday = Math.floor(at / dayMs) + ((6 - new Date(at).getUTCDay() + 7) % 7 || 7)
  const time = (hour: number) => new Date(saturday * dayMs + hour * hourMs).toISOString()
  return { starts_at: time(18), ends_at: time(20) }
}
