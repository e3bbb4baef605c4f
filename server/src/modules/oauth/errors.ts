import { defineError } from '#kernel/errors.ts'
import type { RateState } from '#kernel/http/authentication.ts'
import { rateHeaders } from '#kernel/http/error-responses.ts'

// Error codes of RFC 6749, section 5.2.

export const InvalidRequest = defineError('invalid_request', 400, (message: string) => ({ message }))

/** Deliberately the same error for an unknown client, a wrong secret, and a disabled app. */
export const InvalidClient = defineError('invalid_client', 401, () => ({
  message: 'The client is unknown, or its secret is missing or wrong.',
  headers: { 'www-authenticate': 'Basic realm="gable"' },
}))

export const InvalidGrant = defineError('invalid_grant', 400, () => ({
  message: 'The code or token is unknown, expired, used, revoked, or was issued to another client.',
}))

/** The app may no longer request any scope of the grant. */
export const NoScopesLeft = defineError('invalid_scope', 400, () => ({
  message: 'The app may no longer request any of the scopes that were granted.',
}))
export const InvalidScope = defineError('invalid_scope', 400, (message: string) => ({ message }))

export const UnauthorizedClient = defineError('unauthorized_client', 400, () => ({
  message: 'The client is not authorized for this grant type or workspace.',
}))

export const UnsupportedGrantType = defineError('unsupported_grant_type', 400, () => ({
  message: 'grant_type must be authorization_code, refresh_token or client_credentials.',
}))

export const TooManyFailures = defineError(
  'temporarily_unavailable',
  429,
  (rate: RateState, seconds: number) => ({
    message: `Too many requests have failed. Try again in ${seconds} s.`,
    headers: { 'retry-after': String(seconds), ...rateHeaders(rate) },
  }),
)

/** For the API, not for the token endpoint (RFC 6750, 3.1). */
export const InvalidToken = defineError('invalid_token', 401, (message: string) => ({
  message,
  headers: { 'www-authenticate': 'Bearer realm="gable", error="invalid_token"' },
}))

export const AppNotFound = defineError('not_found', 404, (id: string) => ({
  message: `There is no app ${id}.`,
}))

export const PublicApp = defineError('public_app', 409, () => ({
  message: 'The app is public, so it has no client secret.',
}))

/** The app changed while the consent page was open. */
export const AppChanged = defineError('conflict', 409, () => ({
  message: 'The app has changed in the meantime. Go back to it and start again.',
}))

export const ApprovalNotAllowed = defineError('not_allowed', 403, () => ({
  message: 'Only an active owner or admin of the workspace may approve an app.',
}))
