import { hash } from 'node:crypto'
import type { House } from '#kernel/context.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { hashSecret, isWellFormed } from '../access/public.ts'
import { readCookie } from './cookies.ts'
import { freshMs, later, sessionIdleMs } from './lifetimes.ts'
import { findVisit, noteVisit } from './session-queries.ts'

/** Who is at the browser. */
export interface Visitor {
  personId: string
  name: string
  email: string
  sessionId: string
  /** Whether they have shown who they are within the last ten minutes. */
  fresh: boolean
  /** When the session ends, however much it is used. */
  endsAt: string
  /** What comes with each of their forms: nobody who has not seen the page knows it. */
  csrf: string
}

/** Whoever is signed in; undefined for nobody, and for a session that is over. Asks the database each time. */
export async function visitorOf(
  { database: { directory }, clock }: House,
  request: Pick<PlainRequest, 'headers'>,
): Promise<Visitor | undefined> {
  const secret = readCookie(request, 'session')
  if (secret === undefined || !isWellFormed('gbl_ss_', secret)) return undefined
  const now = clock.now()
  const digest = hashSecret(secret)
  const visit = await findVisit(directory, digest, now)
  if (visit === undefined) return undefined
  if (visit.seen_at < later(now, -60_000).toISOString())
    await noteVisit(directory, digest, now, later(now, sessionIdleMs))
  return {
    personId: visit.person_id,
    name: visit.name,
    email: visit.email,
    sessionId: visit.id,
    fresh: later(new Date(visit.proved_at), freshMs) >= now,
    endsAt: visit.ends_at,
    csrf: hash('sha256', `form ${secret}`, 'base64url'),
  }
}

/** What the browser calls itself, shortened and without what is not printed; for people to tell their sessions apart. */
export const deviceOf = ({ headers }: Pick<PlainRequest, 'headers'>): string =>
  (headers['user-agent'] ?? 'unknown').replaceAll(/[^\x20-\x7e]/g, '').slice(0, 200)
