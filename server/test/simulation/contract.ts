/** The contract's rules in their own numbers, independent of the code under test. */

export const attemptsOfRound = 6

/** At one endpoint, from all workers together. */
export const inFlightAtEndpoint = 8

/** No attempt begins later than this after a webhook was deleted. */
export const afterwardsMs = 1000

const minutes = [1, 2, 4, 8, 16]

/** Milliseconds from the end of the attempt with this number to the start of the next one. */
export const gapAfter = (attempt: number): number => (minutes[attempt - 1] ?? 0) * 60_000
