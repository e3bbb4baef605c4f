import { connect as connectTcp, isIP } from 'node:net'
import { connect as connectTls, createSecureContext, getCACertificates } from 'node:tls'
import type { buildConnector } from 'undici'
import type { Address } from './egress.ts'
import { type Locate, fixedLookup } from './locate.ts'
import { bare } from './rules.ts'

/**
 * Opens a connection and calls back at most once. Returns a function that cancels the attempt; after that, it does
 * not call back.
 */
export type Dial = (place: buildConnector.Options, callback: buildConnector.Callback) => () => void

/** Creates a dialer that connects to located addresses only. */
export function createDialer({ ca }: { ca?: string }, locate: Locate): Dial {
  const trust = ca === undefined ? {} : { ca: [...getCACertificates('default'), ca] }
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
      const socket = open(place, addresses)
      close = () => socket.destroy()
      socket.on('error', fail).once(place.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        if (over) return
        over = true
        callback(null, socket)
      })
    }
    const port = Number(place.port || (place.protocol === 'https:' ? 443 : 80))
    locate({ hostname: bare(place.hostname), port })
      .then(begin)
      .catch(fail)
    return () => {
      if (over) return
      over = true
      close()
    }
  }
}
