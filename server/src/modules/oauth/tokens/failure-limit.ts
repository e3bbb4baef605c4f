import type { Clock } from '#kernel/clock.ts'
import type { RateState } from '#kernel/http/authentication.ts'
import { minuteCounts, networkOf, windowSeconds } from '../../access/public.ts'
import { TooManyFailures } from '../errors.ts'

/** How many failures per minute one address may have with one client. */
export const clientFailureLimit = 60

/**
 * Slows down guessing of secrets, codes and tokens. Only failures count, so a busy app is never limited. A client's
 * failures are counted per address, so that no one can lock out someone else's app.
 */
export interface Failures {
  /** Throws `TooManyFailures` if the address, or the client from this address, has failed too often in the current minute. */
  check(address: string, clientId: string | undefined): void
  add(address: string, clientId: string | undefined): void
  /** How many more requests from the address may fail in the current minute. */
  rateOf(address: string): RateState
}

export function failureCounter(clock: Clock, addressLimit: number): Failures {
  const counts = minuteCounts()
  const nowSeconds = () => clock.now().getTime() / 1000
  const start = () => Math.floor(nowSeconds() / windowSeconds) * windowSeconds
  const ofAddress = (address: string) => ({ key: networkOf(address), limit: addressLimit })
  const ofClient = (address: string, clientId: string) => ({
    key: `${networkOf(address)} ${clientId.slice(0, 40)}`,
    limit: clientFailureLimit,
  })
  const countersOf = (address: string, clientId: string | undefined) =>
    clientId === undefined ? [ofAddress(address)] : [ofAddress(address), ofClient(address, clientId)]
  const stateOf = ({ key, limit }: { key: string; limit: number }): RateState => ({
    limit,
    remaining: Math.max(0, limit - counts.of(key, start())),
    resetAt: start() + windowSeconds,
  })
  return {
    check(address, clientId) {
      const spent = countersOf(address, clientId)
        .map(stateOf)
        .find(({ remaining }) => remaining === 0)
      if (spent !== undefined)
        throw TooManyFailures(spent, Math.max(1, Math.ceil(spent.resetAt - nowSeconds())))
    },
    add(address, clientId) {
      for (const { key } of countersOf(address, clientId)) counts.add(key, start())
    },
    rateOf: (address) => stateOf(ofAddress(address)),
  }
}
