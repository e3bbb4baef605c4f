import type { House } from '#kernel/context.ts'
import type { AppError } from '#kernel/errors.ts'
import type { PlainAnswer, PlainRoute } from '#kernel/http/plain-route.ts'
import { isId } from '#kernel/ids.ts'
import { notice, seeOther } from '../pages/public.ts'
import { findApp } from './app-queries.ts'
import { type Verdict, judgeAuthorize } from './authorize-request.ts'
import { failureCounter } from './failures.ts'
import { readBody, readForm } from './form.ts'
import { metadata } from './metadata.ts'
import type { AskConsent } from './ports.ts'
import { revokeToken } from './revoke-tokens.ts'
import { answerToken } from './token-endpoint.ts'

export interface OAuthOptions {
  /** The address that others reach this server under, without a trailing slash; known once it listens. */
  origin: () => string
  /** Failures a minute that one address may have at the token endpoint. */
  failureLimit: number
  askConsent: AskConsent
}

const maxBodyBytes = 16 * 1024

/** The OAuth server's paths. */
export function oauthRoutes(house: House, { origin, failureLimit, askConsent }: OAuthOptions): PlainRoute[] {
  const failures = failureCounter(house.clock, failureLimit)
  return [
    {
      path: '/oauth/authorize',
      maxBodyBytes,
      refuse: refusalPage,
      methods: {
        async GET(request) {
          const verdict = await judgeQuery(house, request.query, origin())
          if (verdict.kind === 'page') return notice(400, 'This link does not work', verdict.message)
          if (verdict.kind === 'redirect') return seeOther(verdict.location)
          return askConsent(request, verdict.request)
        },
      },
    },
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

/** What there is to be said to a query of the authorize endpoint, as things are now. */
async function judgeQuery({ database }: House, query: string, issuer: string): Promise<Verdict> {
  const form = readForm(query)
  const id = form.values.get('client_id') ?? ''
  const app = isId(id) ? await findApp(database.directory, id) : undefined
  return judgeAuthorize(form, app?.disabled_at === null ? app : undefined, issuer)
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

const refusalPage = ({ status, body }: AppError): PlainAnswer =>
  notice(status, status < 500 ? 'This link does not work' : 'Something went wrong', body.message)

/** Until people can sign in. */
export const nobodySignsIn: AskConsent = async (_request, { app }) =>
  notice(
    200,
    'Nobody can sign in here yet',
    `${app.name} asks to act for a workspace, which nobody can approve here yet.`,
  )
