import { later } from '#kernel/clock.ts'

const minute = 60_000

/** A call without an analysis counts as complete after this long. */
export const analysisMs = minute

/**
 * When to look up an unfinished call, counted from its start. After these: every five minutes until Gable gives up on
 * it, then daily for up to seven days.
 */
const lookupsMs = [30_000, 2 * minute, 10 * minute, 15 * minute]
const oftenMs = 5 * minute
const rarelyMs = 24 * 60 * minute
const lastLookupMs = 7 * 24 * 60 * minute

/** Longer than any provider lets a call last. */
const longestMs = 5 * 60 * minute

/** The limit for a call that the provider may never have received. */
const unfoundMs = 60 * minute

interface Sought {
  began: Date
  /** Whether the provider has the call. */
  isTheirs: boolean
}

/** Whether Gable stops waiting for the outcome of a call. */
export const isGivenUp = ({ began, isTheirs }: Sought, at: Date): boolean =>
  at >= later(began, isTheirs ? longestMs : unfoundMs)

/** When to look up a call next; null for never. */
export function nextLookup(sought: Sought, at: Date): Date | null {
  const { began } = sought
  const next = lookupsMs.map((ms) => later(began, ms)).find((one) => one > at)
  if (next !== undefined) return next
  if (!isGivenUp(sought, at)) return later(at, oftenMs)
  return at < later(began, lastLookupMs) ? later(at, rarelyMs) : null
}

/** The delay before retrying a call that the provider definitely did not take, or undefined to give up. */
export const retryMs = (attempts: number): number | undefined =>
  [5_000, 30_000, 2 * minute, 10 * minute][attempts - 1]

/** How many times a call may be held for calling hours, and for how long in total. */
export const maxCallTurns = 3
export const maxCallHoldMs = 72 * 60 * minute

/** The delay before removing a recording that must not be kept. By then the provider has analyzed the call. */
export const removalMs = 2 * minute

/** The delay before asking an unreachable provider again for results that no report delivered. */
export const askAgainMs = 60 * minute

/** How often to retry copying a recording, and when to give up. */
export const recordingRetryMs = 10 * minute
export const recordingGivenUpMs = 24 * 60 * minute
