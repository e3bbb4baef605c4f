import { timingSafeEqual } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import type { CredentialRequest, SessionKind } from '#kernel/http/authentication.ts'
import { hashSecret, isWellFormed } from '../access/public.ts'
import { readCookie } from './cookies.ts'
import { authenticateSessions, touchSessions } from './session-queries.ts'
import { csrfOf, sessionIdleMs, recentAuthMs } from './sessions.ts'

/**
 * Authenticates a signed-in person at the API, for pages of this server only. A request must send the session cookie,
 * the workspace in Gable-Workspace, the session's CSRF token in X-CSRF-Token (GET requests too), and the browser's
 * `Sec-Fetch-Site: same-origin`.
 */
export const apiSessions: SessionKind = {
  limit: 600,
  lookupOf(request, scope) {
    const secret = readCookie(request, 'session')
    if (secret === undefined || !isWellFormed('gbl_ss_', secret)) return undefined
    if (request.headers['sec-fetch-site'] !== 'same-origin') return undefined
    const csrf = csrfOf(secret)
    const claim = { hash: hashSecret(secret), csrf }
    const hasToken = isSame(headerOf(request, 'x-csrf-token'), csrf)
    // Reading the person and their CSRF token requires no token: a page of another origin cannot read the response.
    if (scope === 'person') return hasToken || isRead(request) ? { ...claim, workspaceId: null } : undefined
    const workspaceId = headerOf(request, 'gable-workspace')
    return hasToken && workspaceId !== '' ? { ...claim, workspaceId } : undefined
  },
  async find(authenticator, asked) {
    const rows = await authenticateSessions(authenticator, asked)
    return rows.map((row) => ({
      status: row,
      sessionId: row.id,
      personId: row.person_id,
      memberId: row.member_id,
      recentlyAuthenticated: later(new Date(row.proved_at), recentAuthMs) >= asked.now,
    }))
  },
  recordUse: (directory, ids, now) => touchSessions(directory, ids, now, later(now, sessionIdleMs)),
}

const isRead = ({ method }: CredentialRequest) => method === 'GET' || method === 'HEAD'

const headerOf = ({ headers }: CredentialRequest, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
