import type { Identity } from '../context.ts'
import type { AppError } from '../errors.ts'

/** Who asks, as far as a credential tells. */
export interface Principal extends Identity {
  /** Id of the credential: whose Idempotency-Keys they are. */
  credentialId: string
  /** The scheme of the Authorization header. */
  scheme: 'Token' | 'Bearer'
}

/** How much of the window's allowance is left after this request. */
export interface RateState {
  limit: number
  remaining: number
  /** Epoch seconds at which the window ends. */
  resetAt: number
}

/** The door's verdict on a request: who it is, what is left of the rate, and whether it is turned away. */
export interface Admission {
  principal: Principal | null
  rate: RateState
  refusal?: AppError
}

export interface Door {
  /** Judges a request by its Authorization header; one statement at most. */
  admit(authorization: string | undefined, address: string): Promise<Admission>
  /** Counts a request that has no credential to judge. */
  countAnonymous(address: string): Admission
}
