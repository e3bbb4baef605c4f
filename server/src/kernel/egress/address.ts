import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import ipaddr from 'ipaddr.js'
import type { Reach } from './egress.ts'
import { notPublic } from './failure.ts'

/** Where a URL leads. */
export interface Target {
  /** `https://example.com:8443` */
  origin: string
  /** With the query. */
  path: string
  /** A name or an IP address, without brackets. */
  hostname: string
}

export interface Rules {
  allowHttp: Reach
  allowPrivate: Reach
}

const maxLength = 2048

/** What WHATWG's URL takes away or rewrites before it reads: control and format characters, blanks, `\`. */
const unclean = /[\p{C}\p{Z}\\]/u

/** Scheme, and all that stands before the path. */
const beginning = /^(https?):\/\/([^/?#]*)/i

const authority = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::([1-9]\d{0,4}))?$/i

const domainName =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/

/** Names that mean a machine of this network, whatever DNS says of them (RFC 6761, 6762, 8375, and ICANN for `internal`). */
const localName = /^[^.]+$|\.(local|localdomain|internal|home\.arpa)$/

/** `localhost` and what is below it, which never goes to DNS (RFC 6761). */
export const isLocalhost = (hostname: string) => /^(.+\.)?localhost$/.test(hostname)

/**
 * Where a URL leads, or what is wrong with it. It must be written as it is meant: `new URL()` accepts numbers in hex for
 * an IPv4 address, full-width digits, a tab amidst the name and more, and what a person reads is then not what is asked.
 */
export function readTarget(url: string, rules: Rules): Target | string {
  if (url.length > maxLength) return `the address has more than ${maxLength} characters`
  if (unclean.test(url)) return 'the address has blanks, control characters or backslashes'
  const [, scheme, place] = beginning.exec(url) ?? []
  if (scheme === undefined || place === undefined) return 'the address does not begin with https://'
  if (place.includes('@')) return 'the address has a user name or a password'
  if (url.includes('#')) return 'the address has a fragment (#)'
  const [, host] = authority.exec(place) ?? []
  const parsed = URL.parse(url)
  if (host === undefined || parsed === null) return 'the host or the port of the address is not valid'
  const hostname = parsed.hostname.replace(/^\[(.*)\]$/, '$1')
  const fault = hostFault(hostname, host, rules.allowPrivate)
  if (fault !== undefined) return fault
  if (parsed.protocol === 'http:' && !reaches(rules.allowHttp, isLoopback(hostname)))
    return 'http:// is not allowed here, use https://'
  return { origin: parsed.origin, path: parsed.pathname + parsed.search, hostname }
}

/** What is wrong with a host as the URL parser reads it, or with how it was written. */
function hostFault(hostname: string, written: string, allowPrivate: Reach): string | undefined {
  if (isIP(hostname) === 6) return isAllowedAddress(hostname, allowPrivate) ? undefined : notPublic
  const plain = written.normalize('NFC').toLowerCase()
  const asMeant = hostname === plain || domainToUnicode(hostname) === plain
  if (isIP(hostname) === 4 && !isAllowedAddress(hostname, allowPrivate)) return notPublic
  if (!asMeant || !domainName.test(hostname)) return 'the host name is not valid'
  if (isIP(hostname) === 4) return undefined
  if (isLocalhost(hostname)) return allowPrivate === 'none' ? 'the host name is not public' : undefined
  return localName.test(hostname) && allowPrivate !== 'all' ? 'the host name is not public' : undefined
}

/** Whether an IP address may be connected to. Anything else than an IP address may not. */
export function isAllowedAddress(address: string, allowPrivate: Reach): boolean {
  if (isIP(address) === 0) return false
  return isPublic(address) || reaches(allowPrivate, isLoopback(address))
}

const reaches = (reach: Reach, isLoop: boolean) => reach === 'all' || (reach === 'loopback' && isLoop)

/** Whether a name or an IP address, without brackets, is this machine's own and nobody else's. */
export const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? isLocalhost(host) : ipaddr.parse(host).range() === 'loopback'

/**
 * Unicast on the Internet. For IPv6 that is 2000::/3, less what is reserved in it and less every range that embeds an
 * IPv4 address (6to4, Teredo; mapped ones and NAT64 are outside of 2000::/3 anyway).
 */
function isPublic(address: string): boolean {
  if (address === azureHost) return false
  const ip = ipaddr.parse(address)
  if (ip.range() !== 'unicast') return false
  return ip.kind() === 'ipv4' || ip.match(globalUnicast)
}

/** Public by its number only: from a machine of Azure it is the host below, which hands out configuration. */
const azureHost = '168.63.129.16'

const globalUnicast = ipaddr.parseCIDR('2000::/3')
