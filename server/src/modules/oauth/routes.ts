import type { House } from '#kernel/context.ts'
import type { AppError } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { consentRoute } from './consent-page.ts'
import { failureCounter } from './failures.ts'
import { readBody } from './form.ts'
import { metadata } from './metadata.ts'
import { revokeToken } from './revoke-tokens.ts'
import { answerToken } from './token-endpoint.ts'

export interface OAuthOptions {
  /** The address that others reach this server under, without a trailing slash; known once it listens. */
  origin: () => string
  /** Failures a minute that one address may have at the token endpoint. */
  failureLimit: number
}

const maxBodyBytes = 16 * 1024

/** The OAuth server's paths. */
export function oauthRoutes(house: House, { origin, failureLimit }: OAuthOptions): PlainRoute[] {
  const failures = failureCounter(house.clock, failureLimit)
  return [
    consentRoute(house, origin),
    {
      path: '/oauth/token',
      maxBodyBytes,
      refuse: refusalJson,
      methods: { POST: async (request) => json(200, await answerToken(house, failures, request)) },
    },
    {
      path: '/oauth/revoke',
      maxBodyBytes,
      refuse: (error) => (isUnreadable(error) ? revoked : refusalJson(error)),
      methods: {
        async POST({ headers, body }) {
          const token = readBody(headers['content-type'], body)?.get('token')
          if (token !== undefined) await revokeToken(house, token)
          return revoked
        },
      },
    },
    {
      path: '/.well-known/oauth-authorization-server',
      maxBodyBytes,
      refuse: refusalJson,
      methods: { GET: async () => json(200, metadata(origin()), {}) },
    },
  ]
}

const unstored = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** The same for whatever came: what cannot be read is no token that is alive. */
const revoked: PlainAnswer = { status: 200, headers: unstored, body: '' }

const isUnreadable = ({ status }: AppError) => status === 400 || status === 415

const json = (status: number, body: object, headers: Record<string, string> = unstored): PlainAnswer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})

/** What RFC 6749 has a name for is called by it; the rest is ours or the request's fault. */
const refusalJson = ({ code, status, body }: AppError): PlainAnswer =>
  json(status === 415 ? 400 : status, { error: nameOf(code, status), error_description: body.message })

const named =
  /^(invalid_(request|client|grant|scope)|un(authorized_client|supported_grant_type)|temporarily_unavailable)$/

function nameOf(code: string, status: number): string {
  if (named.test(code)) return code
  if (status < 500) return 'invalid_request'
  return status === 503 ? 'temporarily_unavailable' : 'server_error'
}
