import { isIP } from 'node:net'
import { domainToUnicode } from 'node:url'
import ipaddr from 'ipaddr.js'
import {
  type AddressRange,
  type Host,
  type Rules,
  type Server,
  bare,
  isInNetworks,
  isListed,
} from './rules.ts'

/** The only thing that is said about an address that may not be called, whatever is there. */
export const notPublic = 'the address is not public'

/** The target of a URL. */
export interface Target extends Host {
  /** `https://example.com:8443` */
  origin: string
  /** Includes the query. */
  path: string
}

const maxLength = 2048

/** Characters that the WHATWG URL parser removes or replaces: control and format characters, spaces, `\`. */
const forbiddenCharacters = /[\p{C}\p{Z}\\]/u

/** The scheme and everything before the path. */
const schemeAndHost = /^(https?):\/\/([^/?#]*)/i

const authority = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::([1-9]\d{0,4}))?$/i

const domainName =
  /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/

/** Names of the local network, whatever DNS returns for them (RFC 6761, 6762, 8375; ICANN for `internal`). */
const localName = /^[^.]+$|\.(local|localdomain|internal|home\.arpa)$/

/** Whether this is `localhost` or one of its subdomains, which are never resolved through DNS (RFC 6761). */
export const isLocalhost = (hostname: string) => /^(.+\.)?localhost$/.test(hostname)

/**
 * Returns the target of a URL, or its issue. The URL must be in canonical form: `new URL()` accepts hexadecimal IPv4
 * addresses, full-width digits, tabs inside the name, and more, so its target can differ from what a person reads.
 */
export function readTarget(url: string, rules: Rules): Target | string {
  if (url.length > maxLength) return `the address has more than ${maxLength} characters`
  if (forbiddenCharacters.test(url)) return 'the address has blanks, control characters or backslashes'
  const [, scheme, place] = schemeAndHost.exec(url) ?? []
  if (scheme === undefined || place === undefined) return 'the address does not begin with https://'
  if (place.includes('@')) return 'the address has a user name or a password'
  if (url.includes('#')) return 'the address has a fragment (#)'
  const [, host] = authority.exec(place) ?? []
  const parsed = URL.parse(url)
  if (host === undefined || parsed === null) return 'the host or the port of the address is not valid'
  const isHttp = parsed.protocol === 'http:'
  const at = { hostname: bare(parsed.hostname), port: Number(parsed.port || (isHttp ? 80 : 443)) }
  const issue = hostIssue(at, host, rules)
  if (issue !== undefined) return issue
  if (isHttp && !isListed(at, rules.allow) && !includes(rules.allowHttp, isLoopback(at.hostname)))
    return 'http:// is not allowed here, use https://'
  return { origin: parsed.origin, path: parsed.pathname + parsed.search, ...at }
}

/** Like `readTarget`, for a server whose name and port were entered without a URL. */
export function readServer({ host, port }: Server, rules: Rules): Host | string {
  const written = isIP(host) === 6 ? `[${host}]` : host
  const parsed = URL.parse(`http://${written}`)
  if (parsed === null) return 'the host name is not valid'
  const at = { hostname: bare(parsed.hostname), port }
  return hostIssue(at, written, rules) ?? at
}

/** The issue of a host, if any. Compares the host as the URL parser returns it with the host as written. */
function hostIssue(at: Host, written: string, rules: Rules): string | undefined {
  const { hostname } = at
  const plain = written.normalize('NFC').toLowerCase()
  const isCanonical = hostname === plain || domainToUnicode(hostname) === plain
  if (isIP(hostname) !== 0 && !areAllowed(at, [hostname], rules)) return notPublic
  if (isIP(hostname) === 6) return undefined
  if (!isCanonical || !domainName.test(hostname)) return 'the host name is not valid'
  if (isIP(hostname) === 4 || isListed(at, rules.allow)) return undefined
  const { allowPrivate, allow = { networks: [] } } = rules
  if (allow.networks.length > 0) return undefined
  if (isLocalhost(hostname)) return allowPrivate === 'none' ? notPublic : undefined
  return localName.test(hostname) && allowPrivate !== 'all' ? notPublic : undefined
}

/** Whether connecting to a host is allowed that has these IP addresses. One that is not allowed rejects the host. */
export const areAllowed = (at: Host, addresses: readonly string[], { allow, allowPrivate }: Rules): boolean =>
  isListed(at, allow) ||
  addresses.every((address) => isAllowedAddress(address, allowPrivate) || isInNetworks(address, allow))

/** Whether an IP address is public or in the range. False for anything but an IP address. */
export function isAllowedAddress(address: string, allowPrivate: AddressRange): boolean {
  if (isIP(address) === 0) return false
  return isPublic(address) || includes(allowPrivate, isLoopback(address))
}

const includes = (range: AddressRange, isLoop: boolean) => range === 'all' || (range === 'loopback' && isLoop)

/** Whether a name or an IP address, without brackets, is a loopback address. */
export const isLoopback = (host: string): boolean =>
  isIP(host) === 0 ? isLocalhost(host) : ipaddr.parse(host).range() === 'loopback'

/**
 * Whether an address is public unicast. For IPv6, that is 2000::/3 without its reserved ranges and without the ranges
 * that embed an IPv4 address (6to4 and Teredo; mapped addresses and NAT64 are outside 2000::/3).
 */
function isPublic(address: string): boolean {
  if (address === azureHost) return false
  const ip = ipaddr.parse(address)
  if (ip.range() !== 'unicast') return false
  return ip.kind() === 'ipv4' || ip.match(globalUnicast)
}

/** A public address that, on Azure, belongs to the local host's configuration service. */
const azureHost = '168.63.129.16'

const globalUnicast = ipaddr.parseCIDR('2000::/3')
