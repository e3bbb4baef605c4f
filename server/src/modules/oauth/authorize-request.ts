import type { AppRow } from './app-queries.ts'
import type { Form } from './form.ts'
import { isChallenge } from './pkce.ts'
import { appendTo, matchesRedirectUri } from './redirect-uri.ts'
import { readScopes } from './scope-list.ts'

/** What a person is to be asked. All of it has been judged. */
export interface AuthorizeRequest {
  app: AppRow
  /** As it was sent: the app's, but for the port of a loopback address. */
  redirectUri: string
  scopes: readonly string[]
  /** PKCE, S256. */
  challenge: string
  /** Comes back as it is; undefined where none was sent. */
  state: string | undefined
}

export type Verdict =
  /** Told to the person alone: nobody knows whether the address is the app's. */
  | { kind: 'page'; message: string }
  | { kind: 'redirect'; location: string }
  | { kind: 'ask'; request: AuthorizeRequest }

/** Judges a request to authorize. `app` is the enabled one that `client_id` names, `issuer` who answers. */
export function judgeAuthorize(form: Form, app: AppRow | undefined, issuer: string): Verdict {
  const { values, repeated, unreadable, broken } = form
  const page = (message: string): Verdict => ({ kind: 'page', message })
  if (broken) return page('The address cannot be read.')
  for (const name of ['client_id', 'redirect_uri']) {
    if (repeated.has(name) || unreadable.has(name)) return page(`${name} must be given exactly once.`)
    if (!values.has(name)) return page(`${name} is missing.`)
  }
  if (app === undefined) return page('There is no such application.')
  const redirectUri = values.get('redirect_uri') ?? ''
  if (!app.redirect_uris.some((registered) => matchesRedirectUri(registered, redirectUri)))
    return page('This application has not registered the address that it wants to go back to.')

  const state = repeated.has('state') ? undefined : values.get('state')
  const refuse = (error: string, description: string): Verdict => ({
    kind: 'redirect',
    location: callback({ redirectUri, state }, { error, error_description: description }, issuer),
  })
  const [twice] = [...repeated, ...unreadable]
  if (twice !== undefined) return refuse('invalid_request', 'A parameter is repeated or cannot be read.')
  const responseType = values.get('response_type')
  if (responseType === undefined) return refuse('invalid_request', 'response_type is missing.')
  if (responseType !== 'code') return refuse('unsupported_response_type', 'response_type must be code.')
  const challenge = values.get('code_challenge') ?? ''
  if (!isChallenge(challenge))
    return refuse('invalid_request', 'code_challenge must be the SHA-256 of the verifier in base64url.')
  if (values.get('code_challenge_method') !== 'S256')
    return refuse('invalid_request', 'code_challenge_method must be S256.')
  const scopes = readScopes(values.get('scope'), app.scopes)
  if (scopes === undefined)
    return refuse('invalid_scope', 'scope must name scopes that the application has registered.')
  return { kind: 'ask', request: { app, redirectUri, scopes, challenge, state } }
}

/** Where a person's browser goes back to: the app's address, and behind it what came of the request (RFC 9207). */
export const callback = (
  { redirectUri, state }: Pick<AuthorizeRequest, 'redirectUri' | 'state'>,
  result: Readonly<Record<string, string>>,
  issuer: string,
): string => appendTo(redirectUri, { ...result, ...(state === undefined ? {} : { state }), iss: issuer })

/** Where it goes when the person denies. */
export const deny = (request: AuthorizeRequest, issuer: string): string =>
  callback(request, { error: 'access_denied', error_description: 'The request was not approved.' }, issuer)
