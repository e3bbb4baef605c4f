import { type LookupFunction, connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates } from 'node:tls'
import type { buildConnector } from 'undici'
import { isAllowedAddress } from './address.ts'
import type { Reach } from './egress.ts'
import { Refusal, notPublic } from './failure.ts'
import type { Address, Names } from './names.ts'

/** Opens a connection and calls back once; what it returns ends the attempt, and then it may never call back. */
export type Dial = (place: buildConnector.Options, callback: buildConnector.Callback) => () => void

/**
 * Connections to allowed addresses only. The addresses that were checked are the ones connected to: name resolution and
 * connecting are not two questions. One forbidden address among those of a name refuses the whole name.
 */
export function createDialler(options: { allowPrivate: Reach; ca?: string }, names: Names): Dial {
  const trust = options.ca === undefined ? {} : { ca: [...getCACertificates('default'), options.ca] }
  const secureContext = createSecureContext(trust)

  function open(place: buildConnector.Options, addresses: Address[]) {
    const { hostname, protocol } = place
    const target = { host: hostname, lookup: answering(addresses), noDelay: true }
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
        throw new Refusal(notPublic)
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

async function addressesOf(hostname: string, names: Names): Promise<Address[]> {
  const family = isIP(hostname)
  if (family === 0) return names.resolve(hostname)
  return [{ address: hostname, family: family === 6 ? 6 : 4 }]
}

/** Node.js asks for the addresses of a name here; an address in the place of a name it never looks up. */
const answering =
  (addresses: Address[]): LookupFunction =>
  (_hostname, { all }, callback) => {
    if (all) return callback(null, addresses)
    const [first] = addresses
    return callback(null, first?.address ?? '', first?.family)
  }
