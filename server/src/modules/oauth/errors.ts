import { defineError } from '#kernel/errors.ts'

// In the words of RFC 6749, 5.2.

export const InvalidRequest = defineError('invalid_request', 400, (message: string) => ({ message }))

/** One and the same for a client that is unknown, has sent a wrong secret, or is disabled. */
export const InvalidClient = defineError('invalid_client', 401, () => ({
  message: 'The client is unknown, or its secret is missing or wrong.',
  headers: { 'www-authenticate': 'Basic realm="gable"' },
}))

export const InvalidGrant = defineError('invalid_grant', 400, () => ({
  message: 'It is unknown, expired, used or revoked, or was issued to somebody else.',
}))

/** The grant stands, but the app has been changed and may not ask for anything of it any more. */
export const NothingLeft = defineError('invalid_scope', 400, () => ({
  message: 'The app may no longer ask for anything that was granted.',
}))
export const InvalidScope = defineError('invalid_scope', 400, (message: string) => ({ message }))

export const UnauthorizedClient = defineError('unauthorized_client', 400, () => ({
  message: 'The client may not ask for this.',
}))

export const UnsupportedGrantType = defineError('unsupported_grant_type', 400, () => ({
  message: 'grant_type must be authorization_code, refresh_token or client_credentials.',
}))

export const TooManyFailures = defineError('temporarily_unavailable', 429, (seconds: number) => ({
  message: `Too many requests have failed. Try again in ${seconds} s.`,
  headers: { 'retry-after': String(seconds) },
}))

/** Of the API, not of the token endpoint (RFC 6750, 3.1). */
export const InvalidToken = defineError('invalid_token', 401, (message: string) => ({
  message,
  headers: { 'www-authenticate': 'Bearer realm="gable", error="invalid_token"' },
}))

export const AppNotFound = defineError('not_found', 404, (id: string) => ({
  message: `There is no app ${id}.`,
}))

/** While a person was thinking about what it asks for. */
export const AppHasChanged = defineError('conflict', 409, () => ({
  message: 'The app has been changed in between. Go back to it and begin anew.',
}))

export const GrantNotFound = defineError('not_found', 404, () => ({
  message: 'The workspace has not authorized this app.',
}))

export const MayNotApprove = defineError('not_allowed', 403, () => ({
  message: 'Only an active owner or admin of the workspace may approve an app.',
}))
