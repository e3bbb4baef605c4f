import { later } from '#kernel/clock.ts'

const minute = 60_000

/** After so long without an analysis a call is complete. */
export const analysisMs = minute

/** When a call that is not over is looked for, counted from its beginning; then every five minutes until it is given up, and each day. */
const lookupsMs = [30_000, 2 * minute, 10 * minute, 15 * minute]
const oftenMs = 5 * minute
const rarelyMs = 24 * 60 * minute
const lastLookupMs = 7 * 24 * 60 * minute

/** No provider lets people talk for so long. */
const longestMs = 5 * 60 * minute

/** A call that the provider may not have at all is not looked for as long. */
const unfoundMs = 60 * minute

interface Sought {
  began: Date
  /** Whether the provider has it. */
  isTheirs: boolean
}

/** Whether no one waits any longer to learn how a call ended. */
export const isGivenUp = ({ began, isTheirs }: Sought, at: Date): boolean =>
  at >= later(began, isTheirs ? longestMs : unfoundMs)

/** When to look for a call next; null for never again. */
export function nextLookup(sought: Sought, at: Date): Date | null {
  const { began } = sought
  const next = lookupsMs.map((ms) => later(began, ms)).find((one) => one > at)
  if (next !== undefined) return next
  if (!isGivenUp(sought, at)) return later(at, oftenMs)
  return at < later(began, lastLookupMs) ? later(at, rarelyMs) : null
}

/** Before a call that the provider surely has not taken is handed over again; undefined once it is given up. */
export const retryMs = (attempts: number): number | undefined =>
  [5_000, 30_000, 2 * minute, 10 * minute][attempts - 1]

/** How often the hours may forbid a call that waits for them, and how long it waits at most. */
export const maxCallTurns = 3
export const maxCallHoldMs = 72 * 60 * minute

/** Before a recording that no one may keep is removed at the provider: by then it has analyzed the call. */
export const removalMs = 2 * minute

/** Before a provider that cannot be reached is asked again for what no report brought. */
export const askAgainMs = 60 * minute

/** After these, a recording that cannot be copied is asked for again. */
export const recordingRetryMs = 10 * minute
export const recordingGivenUpMs = 24 * 60 * minute
