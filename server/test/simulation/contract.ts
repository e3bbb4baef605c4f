/** What the contract says, in its own numbers and not in those of the code under test. */

export const attemptsOfRound = 6

/** At one endpoint, for all workers together. */
export const inFlightAtEndpoint = 8

/** After a webhook is deleted, no attempt begins. */
export const afterwardsMs = 1000

const minutes = [1, 2, 4, 8, 16]

/** From the end of the attempt of this number to the beginning of the next. */
export const gapAfter = (attempt: number): number => (minutes[attempt - 1] ?? 0) * 60_000
