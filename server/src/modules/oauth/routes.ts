import type { Runtime } from '#kernel/context.ts'
import type { AppError } from '#kernel/errors.ts'
import type { PlainResponse, PlainRoute } from '#kernel/http/plain-route.ts'
import { allScopes } from '../access/public.ts'
import { consentRoute } from './authorize/consent-page.ts'
import { parseFormBody } from './form.ts'
import { failureCounter } from './tokens/failure-limit.ts'
import { revokeToken } from './tokens/revoke-tokens.ts'
import { handleTokenRequest } from './tokens/token-endpoint.ts'

/** `failureLimit` is the number of failures per minute and address at the token endpoint. */
export function oauthRoutes(runtime: Runtime, failureLimit: number): PlainRoute[] {
  const failures = failureCounter(runtime.clock, failureLimit)
  const common = { cors: true, maxBodyBytes: 16 * 1024, rateOf: failures.rateOf }
  return [
    consentRoute(runtime),
    {
      path: '/oauth/token',
      ...common,
      errorResponse,
      methods: { POST: async (request) => json(200, await handleTokenRequest(runtime, failures, request)) },
    },
    {
      path: '/oauth/revoke',
      ...common,
      errorResponse: (error) => (isUnreadable(error) ? revoked : errorResponse(error)),
      methods: {
        async POST({ headers, body }) {
          const token = parseFormBody(headers['content-type'], body)?.get('token')
          if (token !== undefined) await revokeToken(runtime, token)
          return revoked
        },
      },
    },
    {
      path: '/.well-known/oauth-authorization-server',
      cors: true,
      errorResponse,
      methods: { GET: async () => json(200, metadata(runtime.origin()), {}) },
    },
  ]
}

/** Authorization server metadata (RFC 8414). The server is its own issuer. */
const metadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}/oauth/authorize`,
  token_endpoint: `${origin}/oauth/token`,
  revocation_endpoint: `${origin}/oauth/revoke`,
  service_documentation: `${origin}/docs`,
  scopes_supported: allScopes,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token', 'client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
  revocation_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

const noStore = { 'cache-control': 'no-store', pragma: 'no-cache' }

/** The same response for every request (RFC 7009, 2.2): text that cannot be read is not a live token. */
const revoked: PlainResponse = { status: 200, headers: noStore, body: '' }

const isUnreadable = ({ status }: AppError) => status === 400 || status === 415

const json = (status: number, body: object, headers: Record<string, string> = noStore): PlainResponse => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body: JSON.stringify(body),
})

/** Maps an error to an error code of RFC 6749, unless it already has one. */
const errorResponse = ({ code, status, body }: AppError): PlainResponse =>
  json(status === 415 ? 400 : status, { error: nameOf(code, status), error_description: body.message })

const named =
  /^(invalid_(request|client|grant|scope)|un(authorized_client|supported_grant_type)|temporarily_unavailable)$/

function nameOf(code: string, status: number): string {
  if (named.test(code)) return code
  if (status < 500) return 'invalid_request'
  return status === 503 ? 'temporarily_unavailable' : 'server_error'
}
