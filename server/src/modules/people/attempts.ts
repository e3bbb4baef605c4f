import { hash } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { networkOf } from '../access/public.ts'
import { countAttempts, forgetAttempts } from './attempt-queries.ts'
import { knownDevice, signInStateText } from './known-browser.ts'
import type { SignInState } from './queries.ts'

/** The window over which attempts are counted. */
export const attemptsMs = 15 * 60_000

export const TooManyAttempts = defineError('rate_limited', 429, () => ({
  message: `Too many attempts. Wait ${attemptsMs / 60_000} minutes, sign in with a passkey, or reset your password by email.`,
  headers: { 'retry-after': String(attemptsMs / 1000) },
}))

/**
 * Attempts per 15 minutes. `place`: on one account from one place. `account`: on one account from everywhere, or from
 * all of its known browsers. `network`: from one network.
 */
export const attemptLimits = { place: 10, account: 50, network: 100 }

/** The counters of an attempt, with their limits. */
export interface Counted {
  /** Reset by a success. */
  own: Readonly<Record<string, number>>
  /** Kept after a success: an attacker may own one of the accounts. */
  shared: Readonly<Record<string, number>>
}

/**
 * Returns the counters of an attempt. A known browser of the person has its own counter and shares another with the
 * person's other known browsers, so attempts from elsewhere cannot lock the person out. Any other attempt counts in
 * `own` and for its network.
 */
export function byBrowser(
  runtime: Runtime,
  request: PlainRequest,
  what: 'password' | 'code',
  person: SignInState | undefined,
  own: Counted['own'],
): Counted {
  const device = person && knownDevice(runtime, request, person)
  if (person === undefined || device === undefined)
    return { own, shared: { [`network ${networkOf(request.address)}`]: attemptLimits.network } }
  const { place, account } = attemptLimits
  // A new password starts a new password count. Codes keep theirs: otherwise each reset would allow more guesses.
  const whose = what === 'password' ? signInStateText(person) : person.id
  return { own: { [`${what} device ${device}`]: place, [`${what} devices ${whose}`]: account }, shared: {} }
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit. Throws `TooManyAttempts`
 * above the limit. Returns a function that resets the own counters, to call after a success. Above the network's limit,
 * an attempt is not counted for the account, which bounds the rows that one network can create.
 */
export async function countAttempt(
  runtime: Runtime,
  { own, shared }: Counted,
): Promise<() => Promise<unknown>> {
  await countAll(runtime, shared)
  await countAll(runtime, own)
  return () => forgetAttempts(runtime.database.directory, Object.keys(own).map(keyOf))
}

async function countAll({ database: { directory }, clock }: Runtime, limits: Counted['own']): Promise<void> {
  const asked = Object.entries(limits).map(([what, limit]) => ({ key: keyOf(what), limit }))
  if (asked.length === 0) return
  const now = clock.now()
  const keys = asked.map(({ key }) => key)
  const counts = await countAttempts(directory, keys, now, later(now, -attemptsMs))
  const isOver = ({ key, limit }: { key: Buffer; limit: number }) =>
    counts.some((count) => count.key.equals(key) && count.used > limit)
  if (asked.some(isOver)) throw TooManyAttempts()
}

const keyOf = (what: string) => hash('sha256', what, 'buffer')
