import { isIP, isIPv6 } from 'node:net'

/** Counts a request without a valid credential. Returns the address's count in the current minute. */
export type CountAddress = (address: string, windowStart: number) => number

const maxKeys = 100_000

/** Counts per key in the current minute. */
export interface MinuteCounts {
  /** Increments the count and returns it. */
  add(key: string, windowStart: number): number
  of(key: string, windowStart: number): number
}

/**
 * Counts in memory, per instance, so that a flood of invalid requests causes no database work. Beyond `maxKeys`, new
 * keys share one count.
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

/** The IPv4 address, or the /64 of an IPv6 address, because one subscriber usually has a whole /64. */
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
