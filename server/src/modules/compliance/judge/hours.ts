import { type HoursRule, windowOn } from './hours-rules.ts'
import { instantOf, clockTime } from './local-time.ts'

export type HoursCode = 'restricted_day' | 'quiet_hours'

/** Rules and zones. Every rule applies in every zone. */
export interface LocalHours {
  rules: readonly HoursRule[]
  zones: readonly string[]
}

/** Returns why the rules forbid this moment, and which rules do. Both are empty if every rule allows it in every zone. */
export function hoursCodes(
  { rules, zones }: LocalHours,
  at: number,
): { codes: HoursCode[]; failed: HoursRule[] } {
  const codes = new Set<HoursCode>()
  const failed = new Set<HoursRule>()
  for (const zone of zones) {
    const { day, weekday, minute } = clockTime(zone, at)
    for (const rule of rules) {
      const window = windowOn(rule, day, weekday)
      if (window !== null && window[0] <= minute && minute < window[1]) continue
      codes.add(window === null ? 'restricted_day' : 'quiet_hours')
      failed.add(rule)
    }
  }
  // A closed day is the stronger reason.
  return { codes: [...codes].toSorted().toReversed(), failed: [...failed] }
}

/** Enough for a Sunday next to two holidays, with room to spare. */
const searchedMs = 14 * 24 * 3_600_000
/** The day on which summer time begins. A longer step late in the evening before would skip that day. */
const shortestDayMs = 23 * 3_600_000

/** When windows open within two weeks, in any zone and by any rule, in ascending order. */
export function openings(hours: LocalHours, at: number): number[] {
  const days = Array.from({ length: searchedMs / shortestDayMs }, (_, ahead) => at + ahead * shortestDayMs)
  const starts = days.flatMap((day) => edges(hours, day, 0).filter((start) => start > at))
  return [...new Set(starts)].toSorted((a, b) => a - b)
}

/** When the first of the currently open windows closes. */
export const closesAt = (hours: LocalHours, at: number): number =>
  Math.min(...edges(hours, at, 1).filter((end) => end > at))

/** When a day's windows open (0) or close (1), in every zone and by every rule. */
const edges = ({ rules, zones }: LocalHours, at: number, side: 0 | 1): number[] =>
  zones.flatMap((zone) => {
    const { day, weekday } = clockTime(zone, at)
    return rules.flatMap((rule) => {
      const window = windowOn(rule, day, weekday)
      return window === null ? [] : [instantOf(zone, day, window[side])]
    })
  })
