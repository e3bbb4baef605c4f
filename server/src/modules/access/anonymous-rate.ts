import { isIP, isIPv6 } from 'node:net'

/** Counts requests without a valid credential in the running minute; answers how many this address has made. */
export type CountAddress = (address: string, windowStart: number) => number

const maxKeys = 100_000

/** Counts of the running minute, by whatever text. */
export interface MinuteCounts {
  /** One more; answers how many that makes. */
  add(key: string, windowStart: number): number
  /** How many there have been. */
  of(key: string, windowStart: number): number
}

/**
 * Kept in memory and by instance: a flood of rubbish must not become work for the database. Bounded: beyond so many keys
 * in a minute, new ones share one count.
 */
export function minuteCounts(): MinuteCounts {
  let counts = new Map<string, number>()
  let present = 0
  const keyIn = (key: string, windowStart: number) => {
    if (windowStart !== present) {
      counts = new Map()
      present = windowStart
    }
    return counts.has(key) || counts.size < maxKeys ? key : 'others'
  }
  return {
    add(key, windowStart) {
      const whole = keyIn(key, windowStart)
      const count = (counts.get(whole) ?? 0) + 1
      counts.set(whole, count)
      return count
    },
    of: (key, windowStart) => counts.get(keyIn(key, windowStart)) ?? 0,
  }
}

export function anonymousCounter(): CountAddress {
  const counts = minuteCounts()
  return (address, windowStart) => counts.add(networkOf(address), windowStart)
}

/** An IPv4 address itself; of IPv6 the /64, since a household has all of it. */
export function networkOf(address: string): string {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address
  if (isIP(plain) === 0) return 'others'
  if (!isIPv6(plain)) return plain
  const [head = '', tail] = plain.split('%', 1)[0]?.split('::') ?? []
  const groups = head.split(':').filter((group) => group !== '')
  const after = tail?.split(':').filter((group) => group !== '') ?? []
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - after.length }, () => '0')
  return [...groups, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
