import type { Random } from './random.ts'

const minuteMs = 60_000
export const dayMs = 24 * 60 * minuteMs

/** The moments of one contact's story, each after the one before it. */
export interface Diary {
  readonly at: Date
  /** Turns to a moment so many days on, the same day for none. False, and stays, where that is not yet past. */
  turn(minDays: number, maxDays: number): boolean
}

/** Begins `daysAgo` before the day of `end`, which nothing reaches. */
export function openDiary(random: Random, end: Date, daysAgo: number): Diary {
  const day = (at: Date) => Math.floor(at.getTime() / dayMs) * dayMs
  // Eight in the morning to seven in the evening in Chicago, whatever the season.
  const workingHour = (start: number) =>
    new Date(start + random.integer(14 * 60 * minuteMs, 24 * 60 * minuteMs - 1))
  let at = workingHour(day(end) - daysAgo * dayMs)
  return {
    get at() {
      return at
    },
    turn(minDays, maxDays) {
      const days = random.integer(minDays, maxDays)
      const next =
        days === 0
          ? new Date(at.getTime() + random.integer(3 * minuteMs, 100 * minuteMs))
          : workingHour(day(at) + days * dayMs)
      if (next >= end) return false
      at = next
      return true
    },
  }
}
