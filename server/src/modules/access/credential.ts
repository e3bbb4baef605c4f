import { type Static, Type } from 'typebox'
import type { Queries } from '#kernel/db/rows.ts'
import type { AppError } from '#kernel/errors.ts'
import type { Principal } from '#kernel/http/principal.ts'
import type { SecretPrefix } from './secret.ts'

/** What the door asks of a kind of credentials: each hash once, with its number of requests. */
export interface Asked {
  hashes: Buffer[]
  requests: number[]
  now: Date
  /** Epoch seconds at which the running window began. */
  windowStart: number
}

/** What a door's statement must tell of each credential that it finds. */
export const verdictColumns = {
  /** Which of the hashes that were asked for it belongs to, from 1. */
  place: Type.Integer(),
  expired: Type.Boolean(),
  revoked: Type.Boolean(),
  /** Whether the note of its last use is older than a minute. */
  unnoted: Type.Boolean(),
  /** Where its count stands after the last of its requests; null for one that is not counted. */
  used: Type.Union([Type.Integer(), Type.Null()]),
  window_start: Type.Union([Type.Integer(), Type.Null()]),
}
const Verdict = Type.Object(verdictColumns)

/** A credential as the door sees it. */
export interface Credential {
  verdict: Static<typeof Verdict>
  principal: Principal
}

/** A kind of credentials that the door takes. */
export interface CredentialKind {
  /** Of the Authorization header. */
  scheme: Principal['scheme']
  prefix: SecretPrefix
  /** In the words of a refusal: `API key`. */
  noun: string
  /** Requests a minute of whatever it is that is counted. */
  limit: number
  /** Reads the credentials and counts their requests, all in one statement. */
  open(door: Queries, asked: Asked): Promise<Credential[]>
  /** Notes that credentials are in use, by the ids of their principals. Safe to run twice. */
  noteUse(directory: Queries, credentialIds: string[], now: Date): Promise<unknown>
  refuse(message: string): AppError
}
