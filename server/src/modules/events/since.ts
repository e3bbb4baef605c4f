import { firstIdAt } from '#kernel/ids.ts'

/** A date and time that a caller names, in milliseconds since the epoch. Of a leap second it is the second before. */
export function momentOf(text: string): number {
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? Date.parse(text.replace(':60', ':59')) : ms
}

const dayMs = 24 * 3_600_000

/** Below the ids of all that happened then or later. Nothing will have happened a day from now, whatever is asked for. */
export const firstIdSince = (moment: number, now: Date): string =>
  firstIdAt(Math.min(moment, now.getTime() + dayMs))
