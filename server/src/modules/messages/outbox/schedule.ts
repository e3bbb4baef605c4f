/** How long after its begin an attempt may be handed to the carrier; after that it is given back. */
export const handOverMs = 1000

/** A worker that has begun an attempt and not settled it by then is gone. */
export const lostAfterMs = 20_000

/** Pauses before a message is tried again that was surely not taken. */
const retryMs = [5_000, 30_000, 120_000, 600_000]

/** The pause after so many attempts; undefined if there is no further one. */
export const retryPause = (attempts: number): number | undefined => retryMs[attempts - 1]

/** When a message whose outcome is unclear is looked for, counted from its attempt. Afterwards it stays unknown. */
export const lookupsMs = [30_000, 120_000, 600_000, 900_000]

/** How long an unclear message holds back the next one to the same recipient. */
export const unclearHoldMs = 60_000

/** When a message is looked at again that could not be judged. */
export const unjudgedMs = 60_000

/** When a message is tried again whose provider rejects our credentials, and how often one is tried meanwhile. */
export const rejectedCredentialsMs = 5 * 60_000

/** How often a message may find the hours closed, and how old it may get, before it is blocked for good. */
export const maxTurns = 3
export const maxHoldMs = 72 * 60 * 60_000
