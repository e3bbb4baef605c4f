const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** How long after its last use a session ends. */
export const sessionIdleMs = dayMs

/** How long after the sign-in a session ends, however much it is used. */
export const sessionMs = 14 * dayMs

/** How long ago somebody may have shown who they are, where keys and secrets are made. */
export const freshMs = 10 * minuteMs

export const invitationMs = 7 * dayMs

/** How long a browser is known as somebody's after they have signed in there. */
export const deviceMs = 90 * dayMs

export const resetMs = hourMs

/** How long a browser keeps the token of a link that it has opened. */
export const linkCookieMs = hourMs

/** How long a second step, or a passkey's challenge, waits for its answer. */
export const stepMs = 5 * minuteMs

/** The stretch in which attempts are counted. */
export const attemptsMs = 15 * minuteMs

export const later = (at: Date, ms: number) => new Date(at.getTime() + ms)
