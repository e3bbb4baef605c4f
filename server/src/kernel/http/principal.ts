import type { IncomingHttpHeaders } from 'node:http'
import type { Identity } from '../context.ts'
import type { AppError } from '../errors.ts'
import type { Reach } from '../reach.ts'

/** The authenticated caller. */
export interface Principal extends Identity {
  /** Id of the credential, which owns its Idempotency-Keys. */
  credentialId: string
  /** The scheme of the Authorization header; `Session` for a signed-in person's cookie. */
  scheme: 'Token' | 'Bearer' | 'Session'
  reach: Reach
  /** Whether a person signed in or confirmed their sign-in within the last ten minutes. Never for keys and apps. */
  recentlyAuthenticated?: boolean
}

/** The person of a session. */
export interface SignedInPerson {
  id: string
  /** Only pages of this server can read it. Each request with the session's cookie sends it back. */
  csrf: string
}

/** The allowance that is left after a request. */
export interface RateState {
  limit: number
  remaining: number
  /** When the window ends, in epoch seconds. */
  resetAt: number
}

/** The result of authenticating and counting a request. */
export interface Authentication {
  principal: Principal | null
  /** Set for a session outside of any workspace. */
  person?: SignedInPerson
  rate: RateState
  /** Why the request is rejected, if it is. */
  rejection?: AppError
}

/** The parts of a request that can hold a credential. */
export interface CredentialRequest {
  method: string
  headers: IncomingHttpHeaders
}

export interface Authenticator {
  /** By the Authorization header, or without one by the session cookie. `scope`: the endpoint's, if there is one. */
  authenticate(request: CredentialRequest, address: string, scope?: string): Promise<Authentication>
  /** Counts a request without reading a credential. */
  countAnonymous(address: string): Authentication
}
