import type { Runtime } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import type { AppRow } from '../apps/app.ts'
import { findApp } from '../apps/queries.ts'
import { appendTo, matchesRedirectUri } from '../apps/redirect-uri.ts'
import { type Form, parseForm } from '../form.ts'
import { parseScopes } from '../scope-list.ts'

/** A validated authorization request. */
export interface AuthorizeRequest {
  app: AppRow
  /** As sent. Matches a registered one, except for the port of a loopback address. */
  redirectUri: string
  scopes: readonly string[]
  /** The PKCE challenge; the method is S256. */
  challenge: string
  /** Returned to the app unchanged. */
  state: string | undefined
}

export type Validation =
  /** `client_id` or `redirect_uri` is not valid, so there is no address to redirect to. */
  | { kind: 'unknown-client'; message: string }
  /** Gable reports the error to the app by a redirect to `location`. */
  | { kind: 'error'; message: string; app: AppRow; redirectUri: string; location: string }
  | { kind: 'valid'; request: AuthorizeRequest }

/** Validates the query of a request to /oauth/authorize against the app as it is now. */
export async function validateQuery({ database, origin }: Runtime, query: string): Promise<Validation> {
  const form = parseForm(query)
  const id = form.values.get('client_id') ?? ''
  const app = isId(id) ? await findApp(database.directory, id) : undefined
  return validateAuthorizeRequest(form, app?.disabled_at === null ? app : undefined, origin())
}

/** Validates an authorization request. `app` is the enabled app with this `client_id`, if there is one. */
export function validateAuthorizeRequest(form: Form, app: AppRow | undefined, issuer: string): Validation {
  const { values, repeated, unreadable, malformed } = form
  const page = (message: string): Validation => ({ kind: 'unknown-client', message })
  if (malformed) return page('The query string cannot be read.')
  for (const name of ['client_id', 'redirect_uri']) {
    if (repeated.has(name) || unreadable.has(name)) return page(`${name} must be given exactly once.`)
    if (!values.has(name)) return page(`${name} is missing.`)
  }
  if (app === undefined) return page('This app does not exist.')
  const redirectUri = values.get('redirect_uri') ?? ''
  if (!app.redirect_uris.some((registered) => matchesRedirectUri(registered, redirectUri)))
    return page('The app has not registered this redirect_uri.')

  const state = repeated.has('state') ? undefined : values.get('state')
  const reject = (error: string, message: string): Validation => ({
    kind: 'error',
    message,
    app,
    redirectUri,
    location: callback({ redirectUri, state }, { error, error_description: message }, issuer),
  })
  const [twice] = [...repeated, ...unreadable]
  if (twice !== undefined) return reject('invalid_request', 'A parameter is repeated or cannot be read.')
  const responseType = values.get('response_type')
  if (responseType === undefined) return reject('invalid_request', 'response_type is missing.')
  if (responseType !== 'code') return reject('unsupported_response_type', 'response_type must be code.')
  const challenge = values.get('code_challenge') ?? ''
  if (!isChallenge(challenge))
    return reject('invalid_request', 'code_challenge must be the SHA-256 of the verifier in base64url.')
  if (values.get('code_challenge_method') !== 'S256')
    return reject('invalid_request', 'code_challenge_method must be S256.')
  const scopes = parseScopes(values.get('scope'), app.scopes)
  if (scopes === undefined)
    return reject('invalid_scope', 'scope must name scopes that the app has registered.')
  return { kind: 'valid', request: { app, redirectUri, scopes, challenge, state } }
}

/** A base64url-encoded SHA-256 (RFC 7636, 4.2). */
const isChallenge = (text: string) => /^[A-Za-z0-9_-]{43}$/.test(text)

/** The redirect URI with the result of the request (RFC 6749, 4.1.2; RFC 9207). */
export const callback = (
  { redirectUri, state }: Pick<AuthorizeRequest, 'redirectUri' | 'state'>,
  result: Readonly<Record<string, string>>,
  issuer: string,
): string => appendTo(redirectUri, { ...result, ...(state === undefined ? {} : { state }), iss: issuer })

/** The callback for a request that the person denied. */
export const deny = (request: AuthorizeRequest, issuer: string): string =>
  callback(request, { error: 'access_denied', error_description: 'The request was not approved.' }, issuer)
