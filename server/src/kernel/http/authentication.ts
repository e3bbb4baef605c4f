import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Static, Type } from 'typebox'
import type { Identity } from '../context.ts'
import type { DirectoryDb, Reach } from '../db/handles.ts'
import type { Sql } from '../db/sql.ts'
import type { AppError } from '../errors.ts'

/** The authenticated caller. */
export interface Principal extends Identity {
  /** The id of the credential. Idempotency-Keys belong to it. */
  credentialId: string
  /** The scheme of the Authorization header, or `Session` for a signed-in person's cookie. */
  scheme: 'Token' | 'Bearer' | 'Session'
  reach: Reach
  /**
   * Whether a person signed in or confirmed their sign-in within the last ten minutes. Never true for API keys and
   * apps.
   */
  recentlyAuthenticated?: boolean
}

/** The person of a session. */
export interface SignedInPerson {
  id: string
  /**
   * The session's CSRF token. Only pages of this server can read it. Each request with the session's cookie must send
   * it back.
   */
  csrf: string
}

/** The rate limit allowance that remains after a request. */
export interface RateState {
  limit: number
  remaining: number
  /** When the window ends, in epoch seconds. */
  resetAt: number
}

/** The result of authenticating and counting a request. */
export interface Authentication {
  principal: Principal | null
  /** Set for a session outside any workspace. */
  person?: SignedInPerson
  rate: RateState
  /** Why the request is rejected, if it is. */
  rejection?: AppError
  /**
   * Counts a request as further ones, all or none. Absent if the credential is not counted in the database. Returns
   * `RateLimited` if too few are left.
   */
  countFurther?(requests: number): Promise<{ rate: RateState; rejection?: AppError }>
}

/** The parts of a request that can hold a credential. */
export interface CredentialRequest {
  method: string
  headers: IncomingHttpHeaders
  /** The peer's address, or the address that a trusted proxy states. Requests without a credential count against it. */
  address: string
}

export interface Authenticator {
  /**
   * Authenticates by the Authorization header or, without one, by the session cookie. `scope`: the endpoint's scope,
   * if it has one.
   */
  authenticate(request: CredentialRequest, scope?: string): Promise<Authentication>
  /** Counts a request without reading its credential. */
  countAnonymous(address: string): Authentication
}

/** A batch of credentials to look up. Each hash is listed once, with its number of requests. */
export interface CredentialLookup {
  hashes: Buffer[]
  /** For sessions, the workspace that each request names. Null for none. */
  workspaceIds: (string | null)[]
  requests: number[]
  now: Date
  /** An expression: the start of the current rate window, in epoch seconds. */
  windowStart: Sql
}

/** The columns that a lookup returns for each credential it finds. */
export const lookupColumns = {
  /** The 1-based position of its hash in the lookup. */
  place: Type.Integer(),
  expired: Type.Boolean(),
  revoked: Type.Boolean(),
  /** Whether `last_used_at` is more than a minute old. */
  unrecorded: Type.Boolean(),
  /** Requests in the window, including all in this lookup. Null if not counted. */
  used: Type.Union([Type.Integer(), Type.Null()]),
  window_start: Type.Union([Type.Integer(), Type.Null()]),
}
const StatusRow = Type.Object(lookupColumns)
export type CredentialStatus = Static<typeof StatusRow>

/** A credential that a lookup found. */
export interface Credential {
  status: CredentialStatus
  principal: Principal
  /** The member for whom the credential acts. The member's role and reach also limit it. */
  memberId?: string | null
  /** What its requests count against, if it is not the credential. */
  counter?: string
}

/** What identifies a session, read from a request. */
export interface SessionLookup {
  hash: Buffer
  /** Null for a request outside any workspace. */
  workspaceId: string | null
  csrf: string
}

/** A session that a lookup found. */
export interface FoundSession {
  status: CredentialStatus
  sessionId: string
  personId: string
  /**
   * The person's member id in the workspace of the lookup. Null without a workspace, or if the person is not a
   * member.
   */
  memberId: string | null
  recentlyAuthenticated: boolean
}

/** How signed-in people use the API: with their session cookie, and only from pages of this server. */
export interface SessionKind {
  /** Requests per minute for each person in each workspace. */
  limit: number
  /** Undefined unless the request proves that a page of this server sent it. `scope`: the endpoint's scope. */
  lookupOf(request: CredentialRequest, scope: string): SessionLookup | undefined
  /** Reads sessions and counts their requests in one statement. */
  find(authenticator: DirectoryDb, asked: CredentialLookup): Promise<FoundSession[]>
  /** Updates the last use of sessions, by id. Idempotent. */
  recordUse(directory: DirectoryDb, sessionIds: string[], now: Date): Promise<unknown>
}

/** A kind of credential in the Authorization header. */
export interface CredentialKind {
  /** The scheme in the Authorization header. */
  scheme: Principal['scheme']
  /** The prefix of its secrets. */
  prefix: string
  /** For error messages, such as `API key`. */
  noun: string
  /** Requests per minute for each counter. */
  limit: number
  /** Reads credentials and counts their requests in one statement. */
  find(authenticator: DirectoryDb, asked: CredentialLookup): Promise<Credential[]>
  /** Updates the last use of credentials, by `credentialId`. Idempotent. */
  recordUse(directory: DirectoryDb, credentialIds: string[], now: Date): Promise<unknown>
  rejection(message: string): AppError
}

/**
 * The address that a request counts against: the peer's address or, with trusted proxies, the address that the
 * outermost trusted proxy appended to X-Forwarded-For. A client can forge everything before that.
 */
export function callerAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const peer = socket.remoteAddress ?? ''
  const named = [headers['x-forwarded-for'] ?? []].flat().flatMap((line) => line.split(','))
  const chain = [...named.map((one) => one.trim()).filter((one) => one !== ''), peer]
  return chain.at(-1 - trustedProxies) ?? chain[0] ?? peer
}
