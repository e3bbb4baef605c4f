import type { Runtime } from '#kernel/context.ts'
import { type AppError, NotFound } from '#kernel/errors.ts'
import type {
  Authentication,
  Authenticator,
  CredentialKind,
  CredentialRequest,
  SessionKind,
} from '#kernel/http/authentication.ts'
import { RateLimited, Unauthorized } from '#kernel/http/http-errors.ts'
import { anonymousCounter } from './anonymous-rate.ts'
import { createLookup } from './lookup.ts'
import { memberIdentity } from './member-identity.ts'
import { countWithin, windowSeconds, windowStartOf } from './queries.ts'
import { hashSecret, isWellFormed } from './secret.ts'

export interface AuthenticatorOptions {
  /** Requests per minute and address without a valid credential. */
  anonymousLimit: number
  credentials: readonly CredentialKind[]
  sessions: SessionKind
}

/** Reads the credential of every request from the database, so that a revocation takes effect with the next request. */
export function createAuthenticator(
  runtime: Runtime,
  { anonymousLimit, credentials, sessions }: AuthenticatorOptions,
): Authenticator {
  const { clock, database } = runtime
  const countAddress = anonymousCounter()
  const windowStart = () => Math.floor(clock.now().getTime() / 1000 / windowSeconds) * windowSeconds
  const lookups = credentials.map((kind) => ({
    kind,
    ...createLookup(runtime, { ...kind, windowStart: () => windowStartOf(clock) }),
  }))
  const sessionLookup = createLookup(runtime, {
    ...sessions,
    noun: 'session',
    windowStart: () => windowStartOf(clock),
  })

  /**
   * Returns the state of the rate limit after the request with this place in the window, and `RateLimited` if the place
   * is beyond the limit.
   */
  function rateFor(place: number, limit: number, start: number): Pick<Authentication, 'rate' | 'rejection'> {
    const resetAt = start + windowSeconds
    const rate = { limit, remaining: Math.max(0, limit - place), resetAt }
    if (place <= limit) return { rate }
    // This machine's clock may be wrong.
    const secondsLeft = Math.ceil(resetAt - clock.now().getTime() / 1000)
    const retryAfter = Math.min(windowSeconds, Math.max(1, secondsLeft))
    return { rate, rejection: RateLimited(retryAfter) }
  }

  /** Counts against the same counter as the request itself. */
  const further =
    (counter: string, limit: number): NonNullable<Authentication['countFurther']> =>
    async (requests) => {
      const asked = { counter, requests, limit, windowStart: windowStartOf(clock) }
      const counted = await countWithin(database.authenticator, asked)
      return counted === undefined
        ? rateFor(limit + 1, limit, windowStart())
        : rateFor(counted.used, limit, counted.window_start)
    }

  function countAnonymous(address: string, rejection?: AppError): Authentication {
    const start = windowStart()
    const counted = rateFor(countAddress(address, start), anonymousLimit, start)
    return { principal: null, ...(rejection === undefined ? {} : { rejection }), ...counted }
  }

  /** Authenticates a request without an Authorization header: by its session cookie, or as anonymous. */
  async function authenticateSession(request: CredentialRequest, scope: string): Promise<Authentication> {
    const lookup = sessions.lookupOf(request, scope)
    if (lookup === undefined) return countAnonymous(request.address)
    const found = await sessionLookup.lookUp(lookup)
    if (found === undefined) return countAnonymous(request.address)
    const { credential, place } = found
    const { status, sessionId, personId, memberId, recentlyAuthenticated } = credential
    if (status.unrecorded) sessionLookup.queueUse(sessionId)
    const counted = rateFor(place, sessions.limit, status.window_start ?? windowStart())
    const { workspaceId, csrf } = lookup
    if (workspaceId === null) return { principal: null, person: { id: personId, csrf }, ...counted }
    if (memberId === null) return countAnonymous(request.address, NotFound())
    const member = await memberIdentity(database.reads(workspaceId), memberId)
    if (member === undefined) return { principal: null, rejection: NotFound(), ...counted }
    return {
      principal: { ...member, sessionId, credentialId: memberId, scheme: 'Session', recentlyAuthenticated },
      ...counted,
      countFurther: further(memberId, sessions.limit),
    }
  }

  return {
    countAnonymous: (address) => countAnonymous(address),
    async authenticate(request, scope = 'public') {
      const { authorization } = request.headers
      if (authorization === undefined)
        return scope === 'public' ? countAnonymous(request.address) : authenticateSession(request, scope)
      const [, scheme = '', secret = ''] = /^(?:(\w+) +)?(\S+)$/.exec(authorization) ?? []
      const known = lookups.find(({ kind }) => kind.scheme.toLowerCase() === scheme.toLowerCase())
      const other = lookups.find(({ kind }) =>
        secretsIn(scheme, secret).some((one) => one.startsWith(kind.prefix)),
      )
      if (known === undefined || (other !== undefined && other !== known)) {
        const right = other === undefined ? '' : ` Send it as ${headerOf(other.kind)}.`
        return countAnonymous(
          request.address,
          Unauthorized(`This is not a credential of this service.${right}`),
        )
      }
      const { kind, lookUp, queueUse } = known
      const reject = (message: string) => countAnonymous(request.address, kind.rejection(message))
      if (!isWellFormed(kind.prefix, secret)) return reject('This is not a credential of this service.')
      const counted = await lookUp({ hash: hashSecret(secret), workspaceId: null })
      if (counted === undefined) return reject(`This ${kind.noun} does not exist.`)
      const { credential, place } = counted
      const { status, principal, memberId = null, counter = principal.credentialId } = credential
      if (status.revoked) return reject(`This ${kind.noun} has been revoked.`)
      if (status.expired) return reject(`This ${kind.noun} has expired.`)
      if (status.unrecorded) queueUse(principal.credentialId)
      const rate = {
        ...rateFor(place, kind.limit, status.window_start ?? windowStart()),
        countFurther: further(counter, kind.limit),
      }
      if (memberId === null) return { principal, ...rate }
      const member = await memberIdentity(database.reads(principal.workspaceId), memberId)
      if (member === undefined) return reject(`The member of this ${kind.noun} is no longer active.`)
      const scopes = new Set(principal.scopes).intersection(member.scopes)
      return { principal: { ...principal, scopes, reach: member.reach, memberId }, ...rate }
    },
  }
}

/** What may be a secret in an Authorization header: the text after the scheme, or, of HTTP Basic, its two parts. */
const secretsIn = (scheme: string, text: string): string[] =>
  scheme.toLowerCase() === 'basic' ? Buffer.from(text, 'base64').toString('latin1').split(':') : [text]

/** The header that carries a credential of this kind: `Authorization: token gbl_key_…`. */
const headerOf = ({ scheme, prefix }: CredentialKind) =>
  `Authorization: ${scheme === 'Token' ? 'token' : scheme} ${prefix}…`
