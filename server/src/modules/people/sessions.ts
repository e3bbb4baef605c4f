import { hash } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import type { DirectoryTx } from '#kernel/db/handles.ts'
import { defineError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { newId } from '#kernel/ids.ts'
import { hashSecret, isWellFormed, newSecret } from '../access/public.ts'
import { readCookie, setCookie } from './cookies.ts'
import { deviceCookie } from './known-browser.ts'
import { type PersonRow, type SignInState, lockPerson, lockUnchangedForShare } from './queries.ts'
import {
  deleteSessionOf,
  deleteSessions,
  findSession,
  hasSession,
  insertSession,
  touchSession,
} from './session-queries.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** A session ends this long after its last use. */
export const sessionIdleMs = dayMs

/** A session ends this long after the sign-in, even if it is used. */
const absoluteMs = 14 * dayMs

/** Creating keys, secrets and memberships requires a sign-in within this time. */
export const recentAuthMs = 10 * minuteMs

type Browser = Pick<PlainRequest, 'headers'>

export const SessionSuperseded = defineError('conflict', 409, () => ({
  message: 'Your password was just changed, or you were signed out. Sign in again.',
}))

/** The person behind a session. */
export interface SessionUser {
  personId: string
  name: string
  email: string
  sessionId: string
  /** Whether they signed in, or confirmed that it is them, within the last ten minutes. */
  recentlyAuthenticated: boolean
  /** When the session ends, even if it is used. */
  endsAt: string
  /** The CSRF token of the session. Every form on the person's pages contains it; other sites cannot read it. */
  csrf: string
}

/** Returns the CSRF token of a session, which only pages of this server can read. */
export const csrfOf = (secret: string): string => hash('sha256', `form ${secret}`, 'base64url')

/** Returns the signed-in person, or undefined. Reads the database each time, so ending a session takes effect at once. */
export async function sessionUserOf(
  { database: { directory }, clock }: Runtime,
  request: Browser,
): Promise<SessionUser | undefined> {
  const secret = readCookie(request, 'session')
  if (secret === undefined || !isWellFormed('gbl_ss_', secret)) return undefined
  const now = clock.now()
  const digest = hashSecret(secret)
  const session = await findSession(directory, digest, now)
  if (session === undefined) return undefined
  if (session.seen_at < later(now, -minuteMs).toISOString())
    await touchSession(directory, digest, now, later(now, sessionIdleMs))
  return {
    personId: session.person_id,
    name: session.name,
    email: session.email,
    sessionId: session.id,
    recentlyAuthenticated: later(new Date(session.proved_at), recentAuthMs) >= now,
    endsAt: session.ends_at,
    csrf: csrfOf(secret),
  }
}

/**
 * Starts a session for a person who has just proved who they are, and ends the browser's previous session. Returns the
 * cookies of the session and of the known browser; the session's secret is stored nowhere else. With `replaces`, the
 * new session ends when the replaced one would have. Throws `SessionSuperseded` if the person's password or second step
 * has changed in the meantime, or if the replaced session has ended.
 */
export async function startSession(
  runtime: Runtime,
  person: SignInState,
  request: Browser,
  replaces?: SessionUser,
): Promise<string[]> {
  const now = runtime.clock.now()
  const secret = newSecret('gbl_ss_')
  const before = readCookie(request, 'session')
  const endsAt = replaces === undefined ? later(now, absoluteMs) : new Date(replaces.endsAt)
  const at = now.toISOString()
  const session = {
    id: newId(now),
    person_id: person.id,
    device: userAgentOf(request),
    proved_at: at,
    seen_at: at,
    expires_at: new Date(Math.min(later(now, sessionIdleMs).getTime(), endsAt.getTime())).toISOString(),
    ends_at: endsAt.toISOString(),
    created_at: at,
  }
  await runtime.database.directory.transaction(async (tx) => {
    if ((await lockUnchangedForShare(tx, person)) === undefined) throw SessionSuperseded()
    const ended = before === undefined ? 0 : await deleteSessionOf(tx, hashSecret(before))
    if (replaces !== undefined && ended === 0) throw SessionSuperseded()
    insertSession(tx, session, hashSecret(secret))
  })
  return [
    setCookie('session', secret, endsAt.getTime() - now.getTime()),
    deviceCookie(runtime, person, request),
  ]
}

/** The User-Agent, shortened and limited to printable ASCII, so that people can distinguish their sessions. */
const userAgentOf = ({ headers }: Browser): string =>
  (headers['user-agent'] ?? 'unknown').replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200)

/** Signs a person out everywhere except in the given session. Returns how many sessions ended. */
export const endSessions = (
  { database }: Runtime,
  personId: string,
  exceptSessionId: string | null = null,
): Promise<number> => deleteSessions(database.directory, personId, exceptSessionId)

/** A person whose sign-in is being changed: by themselves in a session, or by an operator without one. */
export interface AuthenticatedPerson extends Pick<PersonRow, 'id' | 'email'> {
  sessionId?: string
}

export const authenticatedPerson = ({ personId, email, sessionId }: SessionUser): AuthenticatedPerson => ({
  id: personId,
  email,
  sessionId,
})

/**
 * Locks the person for the transaction and returns their row. Throws `SessionSuperseded` if the session has ended, for
 * example because the password changed while a new one was being hashed. Every transaction that changes how a person
 * signs in calls this first: locking a session or a link before the person could deadlock.
 */
export async function lockAuthenticatedPerson(
  tx: DirectoryTx,
  { id, sessionId }: AuthenticatedPerson,
): Promise<PersonRow> {
  const person = await lockPerson(tx, id)
  if (person === undefined) throw SessionSuperseded()
  if (sessionId !== undefined && (await hasSession(tx, id, sessionId)) === undefined)
    throw SessionSuperseded()
  return person
}
