import { isIP, isIPv6 } from 'node:net'

/** Counts requests without a valid credential in the running minute; answers how many this address has made. */
export type CountAddress = (address: string, windowStart: number) => number

const maxAddresses = 100_000

/**
 * Kept in memory and by instance: a flood of rubbish must not become work for the database. Bounded: beyond so many
 * addresses in a minute, new ones share one count.
 */
export function anonymousCounter(): CountAddress {
  let counts = new Map<string, number>()
  let present = 0
  return (address, windowStart) => {
    if (windowStart !== present) {
      counts = new Map()
      present = windowStart
    }
    const whole = network(address)
    const key = counts.has(whole) || counts.size < maxAddresses ? whole : 'others'
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count
  }
}

/** An IPv4 address itself; of IPv6 the /64, since a household has all of it. */
function network(address: string): string {
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
