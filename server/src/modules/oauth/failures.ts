import type { Clock } from '#kernel/clock.ts'
import { minuteCounts, networkOf, windowSeconds } from '../access/public.ts'
import { TooManyFailures } from './errors.ts'

/** Failures a minute that one address has with one client. */
export const clientFailureLimit = 60

/**
 * What somebody who guesses does: fails, and goes on. Only failures count, so a busy app is held up by nothing; and a
 * client's are counted by the address that they come from, so that nobody can shut out another's app.
 */
export interface Failures {
  /** Throws TooManyFailures for an address, or a client from this address, that has failed too often in this minute. */
  check(address: string, clientId: string | undefined): void
  add(address: string, clientId: string | undefined): void
}

export function failureCounter(clock: Clock, addressLimit: number): Failures {
  const counts = minuteCounts()
  const nowSeconds = () => clock.now().getTime() / 1000
  const start = () => Math.floor(nowSeconds() / windowSeconds) * windowSeconds
  const keysOf = (address: string, clientId: string | undefined): [string, number][] => {
    const network = networkOf(address)
    return [
      [network, addressLimit],
      ...(clientId === undefined
        ? []
        : [[`${network} ${clientId.slice(0, 40)}`, clientFailureLimit] satisfies [string, number]]),
    ]
  }
  return {
    check(address, clientId) {
      if (keysOf(address, clientId).some(([key, limit]) => counts.of(key, start()) >= limit))
        throw TooManyFailures(Math.max(1, Math.ceil(start() + windowSeconds - nowSeconds())))
    },
    add(address, clientId) {
      for (const [key] of keysOf(address, clientId)) counts.add(key, start())
    },
  }
}
