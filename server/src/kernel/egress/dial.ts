import { type LookupFunction, connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates } from 'node:tls'
import type { buildConnector } from 'undici'
import { isAllowedAddress, notPublic } from './address.ts'
import type { Address, AddressRange } from './egress.ts'
import { EgressError } from './failure.ts'
import type { NameResolver } from './names.ts'

/**
 * Opens a connection and calls back at most once. Returns a function that cancels the attempt; after that, it does
 * not call back.
 */
export type Dial = (place: buildConnector.Options, callback: buildConnector.Callback) => () => void

/**
 * Creates a dialer that connects to allowed addresses only. It resolves a name once, checks all its addresses, and
 * connects to one of them. A single forbidden address rejects the name.
 */
export function createDialer(
  options: { allowPrivate: AddressRange; ca?: string },
  names: NameResolver,
): Dial {
  const trust = options.ca === undefined ? {} : { ca: [...getCACertificates('default'), options.ca] }
  const secureContext = createSecureContext(trust)

  function open(place: buildConnector.Options, addresses: Address[]) {
    const { hostname, protocol } = place
    const target = { host: hostname, lookup: fixedLookup(addresses), noDelay: true }
    if (protocol !== 'https:') return connectTcp({ ...target, port: Number(place.port || 80) })
    return connectTls({
      ...target,
      port: Number(place.port || 443),
      servername: isIP(hostname) === 0 ? hostname : '',
      secureContext,
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
    })
  }

  return (place, callback) => {
    let over = false
    let close = () => {}
    const fail = (error: Error) => {
      if (over) return
      over = true
      close()
      callback(error, null)
    }
    const begin = (addresses: Address[]) => {
      if (over) return
      if (!addresses.every(({ address }) => isAllowedAddress(address, options.allowPrivate)))
        throw new EgressError(notPublic)
      const socket = open(place, addresses)
      close = () => socket.destroy()
      socket.on('error', fail).once(place.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (over) return
        over = true
        callback(null, socket)
      })
    }
    addressesOf(place.hostname, names).then(begin).catch(fail)
    return () => {
      if (over) return
      over = true
      close()
    }
  }
}

async function addressesOf(hostname: string, names: NameResolver): Promise<Address[]> {
  const family = isIP(hostname)
  if (family === 0) return names.resolve(hostname)
  return [{ address: hostname, family: family === 6 ? 6 : 4 }]
}

/** A lookup function for Node.js that returns these addresses. Node.js does not call it for IP addresses. */
const fixedLookup =
  (addresses: Address[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    if (all) return callback(null, addresses)
    const [first] = addresses
    return callback(null, first?.address ?? '', first?.family)
  }
