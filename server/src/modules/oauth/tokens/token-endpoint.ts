import type { Runtime } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import {
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  UnauthorizedClient,
  UnsupportedGrantType,
} from '../errors.ts'
import { parseFormBody } from '../form.ts'
import { grantClientCredentials } from './client-credentials.ts'
import { type ClientAuthentication, authenticateClient, readClientAuthentication } from './client.ts'
import { exchangeCode, isVerifier } from './exchange-code.ts'
import type { Failures } from './failure-limit.ts'
import type { TokenResponseBody } from './issue-tokens.ts'
import { refreshTokens } from './refresh-tokens.ts'

type Form = ReadonlyMap<string, string>

/** Handles a token request. Throws the errors of RFC 6749, 5.2. */
export async function handleTokenRequest(
  runtime: Runtime,
  failures: Failures,
  { headers, body, address }: PlainRequest,
): Promise<TokenResponseBody> {
  const form = parseFormBody(headers['content-type'], body)
  if (form === undefined)
    throw InvalidRequest('The body must be a form in UTF-8 with each parameter at most once.')
  const grant = grants[form.get('grant_type') ?? '']
  if (grant === undefined)
    throw form.has('grant_type') ? UnsupportedGrantType() : InvalidRequest('grant_type is missing.')
  let clientId = form.get('client_id')
  try {
    const client = readClientAuthentication(headers.authorization, form)
    clientId = client.clientId
    failures.check(address, clientId)
    const tokens = await grant(runtime, client, form)
    if (tokens !== 'unknown') return tokens
    failures.add(address, clientId)
    throw InvalidGrant()
  } catch (error) {
    if (error instanceof AppError && error.code === InvalidClient.code) failures.add(address, clientId)
    throw error
  }
}

/** Returns `unknown` for a code or token that does not exist, which counts as a guess. */
type Grant = (
  runtime: Runtime,
  client: ClientAuthentication,
  form: Form,
) => Promise<TokenResponseBody | 'unknown'>

// No prototype: a request could send grant_type=constructor.
const grants: Readonly<Record<string, Grant | undefined>> = Object.assign(Object.create(null) as object, {
  authorization_code: async (runtime: Runtime, client: ClientAuthentication, form: Form) => {
    const [code, redirectUri, verifier] = [
      form.get('code'),
      form.get('redirect_uri'),
      form.get('code_verifier'),
    ]
    if (client.clientId === undefined) throw missing('client_id')
    if (code === undefined) throw missing('code')
    if (redirectUri === undefined) throw missing('redirect_uri')
    if (verifier === undefined) throw missing('code_verifier')
    if (!isVerifier(verifier)) throw InvalidRequest('code_verifier must be 43 to 128 unreserved characters.')
    const { app, secret } = await authenticateClient(runtime, client)
    // Without a secret, PKCE proves that the client is the one that requested the code.
    if (secret === 'wrong') throw InvalidClient()
    return exchangeCode(runtime, app, { code, redirectUri, verifier })
  },
  refresh_token: async (runtime: Runtime, client: ClientAuthentication, form: Form) => {
    const token = form.get('refresh_token')
    if (token === undefined) throw missing('refresh_token')
    const { app, secret } = await authenticateClient(runtime, client)
    if (secret === 'wrong' || (secret === 'none' && app.confidential)) throw InvalidClient()
    return refreshTokens(runtime, app, token, form.get('scope'))
  },
  client_credentials: async (runtime: Runtime, client: ClientAuthentication, form: Form) => {
    const { app, secret } = await authenticateClient(runtime, client)
    if (!app.confidential) throw UnauthorizedClient()
    if (secret !== 'right') throw InvalidClient()
    return grantClientCredentials(runtime, app, { tenantId: form.get('tenant_id'), scope: form.get('scope') })
  },
})

const missing = (name: string) => InvalidRequest(`${name} is missing.`)
