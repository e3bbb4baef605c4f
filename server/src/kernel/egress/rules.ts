import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/** The addresses to which an exception applies. */
export type AddressRange = 'none' | 'loopback' | 'all'

export interface Rules {
  /** Addresses that may be called by http://. https:// is always allowed. */
  allowHttp: AddressRange
  /** Addresses that are allowed even though they are not public. */
  allowPrivate: AddressRange
  /** What the operator allows by name. */
  allow?: AllowList | undefined
}

/** A server that speaks another protocol than HTTP. */
export interface Server {
  /** A name or an IP address, without brackets. */
  host: string
  port: number
}

export interface AllowList {
  /** Hosts with their port, as `placeOf` writes them. http is allowed, too. */
  places: ReadonlySet<string>
  networks: readonly Network[]
}

type Network = [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number]

/** A canonical host name or IP address, without brackets, and a port. */
export interface Host {
  hostname: string
  port: number
}

export const placeOf = ({ hostname, port }: Host): string => `${hostname}:${port}`

export const isListed = (host: Host, list: AllowList | undefined): boolean =>
  list?.places.has(placeOf(host)) === true

export const isInNetworks = (address: string, list: AllowList | undefined): boolean => {
  if (list === undefined || list.networks.length === 0) return false
  const ip = ipaddr.parse(address)
  return list.networks.some(([network, bits]) => ip.kind() === network.kind() && ip.match(network, bits))
}

/**
 * Reads a list such as `sign.internal:3000, 10.2.0.0/16`. Returns the first entry that is neither a host with its port
 * nor a network.
 */
export function readAllowList(text: string): AllowList | string {
  const places = new Set<string>()
  const networks: Network[] = []
  for (const entry of text.split(',').map((one) => one.trim())) {
    const network = networkOf(entry)
    const host = network === undefined ? hostOf(entry) : undefined
    if (network !== undefined) networks.push(network)
    else if (host !== undefined) places.add(placeOf(host))
    else if (entry !== '') return entry
  }
  return { places, networks }
}

function networkOf(entry: string): Network | undefined {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(entry) ?? []
  const family = isIP(address)
  return family === 0 || Number(bits) > (family === 4 ? 32 : 128) ? undefined : ipaddr.parseCIDR(entry)
}

const hostWithPort = /^(\[[\da-f:.]+\]|[\p{L}\p{M}\d_.-]+):([1-9]\d{0,4})$/iu

function hostOf(entry: string): Host | undefined {
  const [, host = '', port = ''] = hostWithPort.exec(entry) ?? []
  const url = URL.parse(`http://${host}`)
  return host === '' || url === null || Number(port) > 65_535
    ? undefined
    : { hostname: bare(url.hostname), port: Number(port) }
}

/** The host of a URL without the brackets of an IPv6 address. */
export const bare = (hostname: string): string => hostname.replace(/^\[(.*)\]$/, '$1')
