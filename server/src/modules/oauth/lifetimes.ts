const secondMs = 1000
const hourMs = 3600 * secondMs
const dayMs = 24 * hourMs

/** How long an authorization code can be exchanged. */
export const codeMs = 60 * secondMs

export const accessTokenMs = hourMs

/** How long after its last use a family of tokens ends, by whether its app keeps secrets. */
export const idleMs = (confidential: boolean) => (confidential ? 90 : 30) * dayMs

/** How long after the approval a family of tokens ends, however much it is used; undefined for never. */
export const absoluteMs = (confidential: boolean) => (confidential ? undefined : 180 * dayMs)

/** How long a client secret goes on working beside the one that replaces it. */
export const oldSecretMs = dayMs

/** How long codes and retired tokens are kept after their family has ended: a replay must still be known as one. */
export const replayMs = 30 * dayMs

/** How long access tokens, and codes that nobody exchanged, are kept after they have expired. */
export const expiredMs = dayMs

export const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
