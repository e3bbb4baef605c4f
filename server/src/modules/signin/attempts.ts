import { hash } from 'node:crypto'
import type { House } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'
import { networkOf } from '../access/public.ts'
import { countAttempts, forgetAttempts } from './attempt-queries.ts'
import { knownDevice, signsInBy } from './device.ts'
import { attemptsMs, later } from './lifetimes.ts'
import type { SignsInBy } from './people-queries.ts'

export const TooManyAttempts = defineError('rate_limited', 429, () => ({
  message: `Too many attempts. Wait ${attemptsMs / 60_000} minutes, sign in with a passkey, or set a new password by mail.`,
  headers: { 'retry-after': String(attemptsMs / 1000) },
}))

/**
 * Attempts in a quarter of an hour: at one account from one place, at one account from everywhere or from all browsers that
 * it is known by, from one network.
 */
export const attemptLimits = { place: 10, account: 50, network: 100 }

/** What an attempt is counted by, with how many there may be of each. */
export interface Counted {
  /** Those that a success forgets. */
  own: Readonly<Record<string, number>>
  /** Those that it does not: whoever guesses at many accounts has one of their own. */
  shared: Readonly<Record<string, number>>
}

/**
 * By the browser where the person is known by it, and by all such browsers, so that nobody elsewhere, and nobody else in
 * the same network, can keep them out of it. Otherwise by `own`, and by the network.
 */
export function byBrowser(
  house: House,
  request: PlainRequest,
  what: 'password' | 'code',
  person: SignsInBy | undefined,
  own: Counted['own'],
): Counted {
  const device = person && knownDevice(house, request, person)
  if (person === undefined || device === undefined)
    return { own, shared: { [`network ${networkOf(request.address)}`]: attemptLimits.network } }
  const { place, account } = attemptLimits
  // Whoever has just set a password by mail gets in by it; codes are counted on, or each such link would bring more of them.
  const whose = what === 'password' ? signsInBy(person) : person.id
  return { own: { [`${what} device ${device}`]: place, [`${what} devices ${whose}`]: account }, shared: {} }
}

/**
 * Counts an attempt before it is made, so that those made at once are no more either, and throws TooManyAttempts for one
 * too many. Answers how to forget those of its own, which a success does. One that its network may not make is not counted
 * by what is its own: nobody leaves more rows than they may make attempts.
 */
export async function countAttempt(house: House, { own, shared }: Counted): Promise<() => Promise<unknown>> {
  await countAll(house, shared)
  await countAll(house, own)
  return () => forgetAttempts(house.database.directory, Object.keys(own).map(keyOf))
}

async function countAll({ database: { directory }, clock }: House, limits: Counted['own']): Promise<void> {
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
