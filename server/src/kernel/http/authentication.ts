import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type Static, Type } from 'typebox'
import type { Identity } from '../context.ts'
import type { DirectoryDb } from '../db/handles.ts'
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
  /** The peer's address, or the one that a trusted proxy names. Requests without a credential count by it. */
  address: string
}

export interface Authenticator {
  /** By the Authorization header, or without one by the session cookie. `scope`: the endpoint's, if there is one. */
  authenticate(request: CredentialRequest, scope?: string): Promise<Authentication>
  /** Counts a request without reading a credential. */
  countAnonymous(address: string): Authentication
}

/** A batch of credentials to look up: each hash once, with its number of requests. */
export interface CredentialLookup {
  hashes: Buffer[]
  /** For sessions, the workspace that each request names; null for none. */
  workspaceIds: (string | null)[]
  requests: number[]
  now: Date
  /** Start of the current rate window, in epoch seconds. */
  windowStart: number
}

/** Columns that a lookup returns for each credential that it finds. */
export const lookupColumns = {
  /** Position of its hash in the lookup, from 1. */
  place: Type.Integer(),
  expired: Type.Boolean(),
  revoked: Type.Boolean(),
  /** Whether `last_used_at` is more than a minute old. */
  unnoted: Type.Boolean(),
  /** Requests in the window, including all of this lookup; null if not counted. */
  used: Type.Union([Type.Integer(), Type.Null()]),
  window_start: Type.Union([Type.Integer(), Type.Null()]),
}
const StatusRow = Type.Object(lookupColumns)
export type CredentialStatus = Static<typeof StatusRow>

/** A credential that a lookup found. */
export interface Credential {
  status: CredentialStatus
  principal: Principal
  /** The member for whom the credential acts, whose role and reach limit it further. */
  memberId?: string | null
}

/** What identifies a session, read from a request. */
export interface SessionLookup {
  hash: Buffer
  /** Null for a request outside of any workspace. */
  workspaceId: string | null
  csrf: string
}

/** A session that a lookup found. */
export interface FoundSession {
  status: CredentialStatus
  sessionId: string
  personId: string
  /** The person's member id in the workspace of the lookup; null without a workspace, or if they are not a member. */
  memberId: string | null
  recentlyAuthenticated: boolean
}

/** Signed-in people use the API with their session cookie, only from pages of this server. */
export interface SessionKind {
  /** Requests per minute for each person and workspace. */
  limit: number
  /** Undefined unless the request proves that a page of this server sent it. `scope`: the endpoint's. */
  lookupOf(request: CredentialRequest, scope: string): SessionLookup | undefined
  /** Reads sessions and counts their requests in one statement. */
  find(authenticator: DirectoryDb, asked: CredentialLookup): Promise<FoundSession[]>
  /** Updates the last use of sessions, by id. Safe to run twice. */
  recordUse(directory: DirectoryDb, sessionIds: string[], now: Date): Promise<unknown>
}

/** A kind of credential in the Authorization header. */
export interface CredentialKind {
  /** The scheme in the Authorization header. */
  scheme: Principal['scheme']
  /** With which the secret begins. */
  prefix: string
  /** For error messages: `API key`. */
  noun: string
  /** Requests per minute and counter. */
  limit: number
  /** Reads credentials and counts their requests in one statement. */
  find(authenticator: DirectoryDb, asked: CredentialLookup): Promise<Credential[]>
  /** Updates the last use of credentials, by `credentialId`. Safe to run twice. */
  recordUse(directory: DirectoryDb, credentialIds: string[], now: Date): Promise<unknown>
  rejection(message: string): AppError
}

/**
 * The address that a request counts for: the peer's, or what the outermost of so many trusted proxies appended to
 * X-Forwarded-For. Anyone can have sent what stands before that.
 */
export function callerAddress({ headers, socket }: IncomingMessage, trustedProxies: number): string {
  const peer = socket.remoteAddress ?? ''
  const named = [headers['x-forwarded-for'] ?? []].flat().flatMap((line) => line.split(','))
  const chain = [...named.map((one) => one.trim()).filter((one) => one !== ''), peer]
  return chain.at(-1 - trustedProxies) ?? chain[0] ?? peer
}
