import type { House } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { type Claim, findClientOf, readClaim } from './client.ts'
import {
  InvalidClient,
  InvalidGrant,
  InvalidRequest,
  UnauthorizedClient,
  UnsupportedGrantType,
} from './errors.ts'
import { exchangeCode } from './exchange-code.ts'
import type { Failures } from './failures.ts'
import { readBody } from './form.ts'
import { grantClientCredentials } from './grant-client-credentials.ts'
import type { TokenAnswer } from './issue-tokens.ts'
import { isVerifier } from './pkce.ts'
import { refreshTokens } from './refresh-tokens.ts'

type Form = ReadonlyMap<string, string>

/** A request to the token endpoint; throws its refusals (RFC 6749, 5.2). */
export async function answerToken(
  house: House,
  failures: Failures,
  { headers, body, address }: PlainRequest,
): Promise<TokenAnswer> {
  const form = readBody(headers['content-type'], body)
  if (form === undefined) throw InvalidRequest('The body must be a form, in UTF-8, with each parameter once.')
  const grant = grants[form.get('grant_type') ?? '']
  if (grant === undefined)
    throw form.has('grant_type') ? UnsupportedGrantType() : InvalidRequest('grant_type is missing.')
  let clientId = form.get('client_id')
  try {
    const claim = readClaim(headers.authorization, form)
    clientId = claim.clientId
    failures.check(address, clientId)
    const answer = await grant(house, claim, form)
    if (answer !== 'unknown') return answer
    failures.add(address, clientId)
    throw InvalidGrant()
  } catch (error) {
    if (error instanceof AppError && error.code === InvalidClient.code) failures.add(address, clientId)
    throw error
  }
}

/** `unknown` for a code or token that there is none of: whoever shows one is guessing. */
type Grant = (house: House, claim: Claim, form: Form) => Promise<TokenAnswer | 'unknown'>

// Without a prototype: a grant_type may be called constructor.
const grants: Readonly<Record<string, Grant | undefined>> = Object.assign(Object.create(null) as object, {
  authorization_code: async (house: House, claim: Claim, form: Form) => {
    const [code, redirectUri, verifier] = [
      form.get('code'),
      form.get('redirect_uri'),
      form.get('code_verifier'),
    ]
    if (claim.clientId === undefined) throw missing('client_id')
    if (code === undefined) throw missing('code')
    if (redirectUri === undefined) throw missing('redirect_uri')
    if (verifier === undefined) throw missing('code_verifier')
    if (!isVerifier(verifier)) throw InvalidRequest('code_verifier must be 43 to 128 unreserved characters.')
    const { app, secret } = await findClientOf(house, claim)
    // Without one PKCE proves that whoever asked is who exchanges.
    if (secret === 'wrong') throw InvalidClient()
    return exchangeCode(house, app, { code, redirectUri, verifier })
  },
  refresh_token: async (house: House, claim: Claim, form: Form) => {
    const token = form.get('refresh_token')
    if (token === undefined) throw missing('refresh_token')
    const { app, secret } = await findClientOf(house, claim)
    if (secret === 'wrong' || (secret === 'none' && app.confidential)) throw InvalidClient()
    return refreshTokens(house, app, token, form.get('scope'))
  },
  client_credentials: async (house: House, claim: Claim, form: Form) => {
    const { app, secret } = await findClientOf(house, claim)
    if (!app.confidential) throw UnauthorizedClient()
    if (secret !== 'right') throw InvalidClient()
    return grantClientCredentials(house, app, { tenantId: form.get('tenant_id'), scope: form.get('scope') })
  },
})

const missing = (name: string) => InvalidRequest(`${name} is missing.`)
