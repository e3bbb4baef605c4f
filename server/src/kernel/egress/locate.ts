import { type LookupFunction, isIP } from 'node:net'
import { areAllowed, notPublic } from './address.ts'
import type { Address } from './egress.ts'
import { EgressError } from './failure.ts'
import type { NameResolver } from './names.ts'
import type { Host, Rules } from './rules.ts'

/** The rules do not allow an address. */
export class AddressRejected extends EgressError {
  constructor() {
    super(notPublic)
  }
}

/**
 * Resolves a host once, checks all its addresses, and returns them; connections go to these, without asking a name
 * server again. A single address that is not allowed rejects the host.
 */
export type Locate = (host: Host) => Promise<Address[]>

export const createLocate =
  (rules: Rules, names: NameResolver): Locate =>
  async (host) => {
    const addresses = await addressesOf(host.hostname, names)
    if (
      areAllowed(
        host,
        addresses.map(({ address }) => address),
        rules,
      )
    )
      return addresses
    throw new AddressRejected()
  }

async function addressesOf(hostname: string, names: NameResolver): Promise<Address[]> {
  const family = isIP(hostname)
  if (family === 0) return names.resolve(hostname)
  return [{ address: hostname, family: family === 6 ? 6 : 4 }]
}

/** A lookup function for Node.js that returns these addresses. Node.js does not call it for IP addresses. */
export const fixedLookup =
  (addresses: Address[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    if (all) return callback(null, addresses)
    const [first] = addresses
    return callback(null, first?.address ?? '', first?.family)
  }
