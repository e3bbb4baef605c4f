import { isLoopback } from '#kernel/egress/address.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'

export interface Whereabouts {
  /** What the server listens on. */
  host: string
  publicUrl?: string | undefined
  /** How many proxies stand in front. */
  trustProxy: number
}

/** Whether nobody but this machine can reach the server: as it is set up, no proxy hands on what comes from elsewhere. */
export const isAtHome = ({ host, publicUrl, trustProxy }: Whereabouts): boolean =>
  isLoopback(host) && trustProxy === 0 && (publicUrl === undefined || isLoopback(hostOf(publicUrl)))

const hostOf = (url: string) => bare(URL.parse(url)?.hostname ?? '')

const authority = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/

/** What a proxy adds that nobody told us of. */
const ofProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether a request comes from a browser on this machine that was asked for a page on this machine. A site elsewhere can
 * give its name an address of this machine (DNS rebinding); the browser then sends that name as Host.
 */
export function isFromHome({ address, headers }: Pick<PlainRequest, 'address' | 'headers'>): boolean {
  const [, host] = authority.exec(headers.host ?? '') ?? []
  if (host === undefined || ofProxies.some((name) => headers[name] !== undefined)) return false
  return isLoopback(address) && isLoopback(bare(host).toLowerCase())
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')
