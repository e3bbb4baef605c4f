import { hash } from 'node:crypto'
import type { House } from '#kernel/context.ts'
import { defineError } from '#kernel/errors.ts'
import { networkOf } from '../access/public.ts'
import { countAttempts, forgetAttempts } from './attempt-queries.ts'
import { attemptsMs, later } from './lifetimes.ts'

export const TooManyAttempts = defineError('rate_limited', 429, () => ({
  message: `Too many attempts. Wait ${attemptsMs / 60_000} minutes, sign in with a passkey, or set a new password by mail.`,
  headers: { 'retry-after': String(attemptsMs / 1000) },
}))

/** Attempts in a quarter of an hour: at one account from one place, at one account from everywhere, from one network. */
export const attemptLimits = { place: 10, account: 50, network: 100 }

/**
 * Counts an attempt before it is made, so that those made at once are no more either, and throws TooManyAttempts for one
 * too many. `counted`: texts, whatever they stand for, with how many there may be of each. Answers how to forget them,
 * which a success does.
 */
export async function countAttempt(
  { database: { directory }, clock }: House,
  address: string,
  counted: Readonly<Record<string, number>>,
): Promise<() => Promise<unknown>> {
  const now = clock.now()
  const limits = { ...counted, [`network ${networkOf(address)}`]: attemptLimits.network }
  const keys = Object.entries(limits).map(([what, limit]) => ({ key: hash('sha256', what, 'buffer'), limit }))
  const counts = await countAttempts(
    directory,
    keys.map(({ key }) => key),
    now,
    later(now, -attemptsMs),
  )
  const over = ({ key, limit }: { key: Buffer; limit: number }) =>
    counts.some((count) => count.key.equals(key) && count.used > limit)
  if (keys.some(over)) throw TooManyAttempts()
  const own = keys.slice(0, -1).map(({ key }) => key)
  return () => forgetAttempts(directory, own)
}
