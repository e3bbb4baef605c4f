/** How long after it began an attempt may still be handed to the carrier. Later, it goes back into the queue. */
export const handOverMs = 1000

/** A worker that has not settled its attempt after this time counts as gone. */
export const lostAfterMs = 20_000

/** How long a worker goes on trying to write the outcome of its attempt. One more wait for a lock fits into the rest. */
export const ownedMs = 15_000

/** Pauses before Gable retries a message that the provider surely did not take. */
const retryMs = [5_000, 30_000, 120_000, 600_000]

/** The pause after this many attempts; undefined if there is no further attempt. */
export const retryPause = (attempts: number): number | undefined => retryMs[attempts - 1]

/**
 * When to look for a message whose outcome is unclear, counted from the start of its attempt. After the last lookup,
 * the message stays unknown.
 */
export const lookupsMs = [30_000, 120_000, 600_000, 900_000]

/** How long an unclear message holds back the next one to the same recipient. */
export const unclearHoldMs = 60_000

/** How long a message that could not be judged waits before it is judged again. */
export const unjudgedMs = 60_000

/** How long a message waits when its provider rejects the credentials, and how often Gable tries one message meanwhile. */
export const rejectedCredentialsMs = 5 * 60_000

/** How often a message may find the hours closed before it is blocked for good. */
export const maxTurns = 3
