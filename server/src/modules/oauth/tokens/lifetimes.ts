const secondMs = 1000
const hourMs = 3600 * secondMs
const dayMs = 24 * hourMs

/** How long an authorization code can be exchanged. */
export const codeMs = 60 * secondMs

export const accessTokenMs = hourMs

/** How long after its last use a family ends. */
export const idleMs = (confidential: boolean) => (confidential ? 90 : 30) * dayMs

/** How long after the approval a family ends even if it is in use; undefined for never. */
export const absoluteMs = (confidential: boolean) => (confidential ? undefined : 180 * dayMs)

/** How long a client secret works after it was replaced. */
export const oldSecretMs = dayMs

/** How long codes and retired tokens are kept after the end of their family, so that a replay is recognized. */
export const replayMs = 30 * dayMs

/** How long expired access tokens and unused codes are kept. */
export const expiredMs = dayMs
