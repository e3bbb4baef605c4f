import { isLoopback } from '#kernel/egress/address.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'

export interface Whereabouts {
  /** The host that the server listens on. */
  host: string
  publicUrl?: string | undefined
  /** The number of trusted proxies. */
  trustProxy: number
}

/** Whether, as configured, only this machine can reach the server. */
export const isReachedLocally = ({ host, publicUrl, trustProxy }: Whereabouts): boolean =>
  isLoopback(host) && trustProxy === 0 && (publicUrl === undefined || isLoopback(hostOf(publicUrl)))

const hostOf = (url: string) => bare(URL.parse(url)?.hostname ?? '')

const authority = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/

/** Headers that proxies add. One of them means that a proxy forwards requests although none is configured. */
const ofProxies = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether a request comes from this machine and names it as its host. A remote site can resolve its own name to a local
 * address (DNS rebinding); the browser then sends that name as Host.
 */
export function isLocalRequest({ address, headers }: Pick<PlainRequest, 'address' | 'headers'>): boolean {
  const [, host] = authority.exec(headers.host ?? '') ?? []
  if (host === undefined || ofProxies.some((name) => headers[name] !== undefined)) return false
  return isLoopback(address) && isLoopback(bare(host).toLowerCase())
}

const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1')
