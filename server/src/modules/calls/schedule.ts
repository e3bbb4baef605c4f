import { later } from '#kernel/clock.ts'

const minute = 60_000

/** After so long without an analysis a call is complete. */
export const analysisMs = minute

/** When a call of unknown outcome is looked for, counted from its beginning. */
const lookupsMs = [30_000, 2 * minute, 10 * minute, 15 * minute]

/** While people talk, and no report comes. */
const talkingMs = 5 * minute
const longestMs = 4 * 60 * minute

/** When to look for a call next; null once it is given up. */
export function nextLookup(began: Date, at: Date, isTalking: boolean): Date | null {
  const next = lookupsMs.map((ms) => later(began, ms)).find((one) => one > at)
  if (next !== undefined) return next
  return isTalking && at < later(began, longestMs) ? later(at, talkingMs) : null
}

/** Before a call that the provider surely has not taken is handed over again; undefined once it is given up. */
export const retryMs = (attempts: number): number | undefined =>
  [5_000, 30_000, 2 * minute, 10 * minute][attempts - 1]

/** How often the hours may forbid a call that waits for them, and how long it waits at most. */
export const maxCallTurns = 3
export const maxCallHoldMs = 72 * 60 * minute

/** After these, a recording that cannot be copied is asked for again. */
export const recordingRetryMs = 10 * minute
export const recordingGivenUpMs = 24 * 60 * minute
