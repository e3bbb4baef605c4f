const secondMs = 1000
const hourMs = 3600 * secondMs
const dayMs = 24 * hourMs

/** An authorization code can be exchanged for this long. */
export const codeMs = 60 * secondMs

export const accessTokenMs = hourMs

/** A family ends this long after its last use. */
export const idleMs = (confidential: boolean) => (confidential ? 90 : 30) * dayMs

/** A family ends this long after the code exchange, even if it is in use; undefined for never. */
export const absoluteMs = (confidential: boolean) => (confidential ? undefined : 180 * dayMs)

/** A client secret works for this long after it was replaced. */
export const oldSecretMs = dayMs

/** Codes and retired tokens are kept this long after the end of their family, so that a replay is recognized. */
export const replayMs = 30 * dayMs

/** Expired access tokens and unused codes are kept this long. */
export const expiredMs = dayMs
