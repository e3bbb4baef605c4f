import { hash } from 'node:crypto'
import { later } from '#kernel/clock.ts'
import type { Runtime } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { networkOf } from '../access/public.ts'
import { countAttempts, forgetAttempts } from './attempt-queries.ts'
import { knownDevice, signInStateText } from './known-browser.ts'
import type { SignInState } from './queries.ts'

/** Attempts are counted over this period. */
export const attemptsMs = 15 * 60_000

export const TooManyAttempts = defineError('rate_limited', 429, () => ({
  message: `Too many attempts. Wait ${attemptsMs / 60_000} minutes, sign in with a passkey, or reset your password by email.`,
  headers: { 'retry-after': String(attemptsMs / 1000) },
}))

/**
 * Attempts per 15 minutes: at one account from one place; at one account from everywhere, or from all browsers that it is
 * known by; and from one network.
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
 * The counters of an attempt. A known browser of the person has its own, and shares one with their other known browsers, so
 * that attempts from elsewhere cannot lock the person out. Other attempts count in `own` and by network.
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
  // A new password starts a new count of passwords. Codes keep theirs, or each reset would allow more guesses.
  const whose = what === 'password' ? signInStateText(person) : person.id
  return { own: { [`${what} device ${device}`]: place, [`${what} devices ${whose}`]: account }, shared: {} }
}

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit. Throws `TooManyAttempts` above
 * it. Returns a function that resets the own counters after a success. Attempts above the network's limit are not counted
 * for the account, so that an attacker cannot create more rows than attempts.
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
