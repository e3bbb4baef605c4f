/** A loopback address apart: scheme and host, port, and the rest, which begins with `/` or `?` or is empty. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?((?:[/?].*)?)$/

const maxLength = 2048

/** What a URI may be written in (RFC 3986), without `#`. */
const characters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/

/** A scheme that an installed program may claim: a domain name backwards (RFC 8252, 7.1). */
const claimed = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

/** A name or an address, and nothing that means more in a Content-Security-Policy. */
const plainHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/

/** What is wrong with an address that an app wants to register; undefined when nothing is. */
export function redirectUriFault(uri: string): string | undefined {
  if (uri.length > maxLength) return `must have at most ${maxLength} characters`
  if (uri.includes('#')) return 'must have no fragment'
  if (!characters.test(uri) || !URL.canParse(uri)) return 'must be an absolute address'
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return 'must hold no user and no password'
  if (loopback.test(uri) || claimed.test(protocol)) return undefined
  if (protocol === 'https:')
    return /^https:\/\/[^/?]/.test(uri) && plainHost.test(hostname) ? undefined : 'must name a host'
  if (protocol === 'http:')
    return 'must begin with https://, unless it leads to 127.0.0.1, [::1] or localhost'
  return 'must begin with https://, with http://127.0.0.1, or with a scheme such as com.example.app:'
}

/**
 * Whether an address is the registered one, letter by letter. A loopback address may have any port, since a program
 * listens on whichever is free (RFC 8252, 7.3).
 */
export function matchesRedirectUri(registered: string, sent: string): boolean {
  if (registered === sent) return true
  const [, origin, , rest] = loopback.exec(registered) ?? []
  const [, sentOrigin, port, sentRest] = loopback.exec(sent) ?? []
  return origin !== undefined && origin === sentOrigin && rest === sentRest && Number(port ?? 80) <= 65_535
}

/**
 * The address with parameters behind it. What was registered stays as it was written: a callback that has been taken
 * apart and put together again may lead elsewhere.
 */
export function appendTo(uri: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  if (!uri.includes('?')) return `${uri}?${query}`
  return /[?&]$/.test(uri) ? uri + query : `${uri}&${query}`
}

/** Where an address leads, in words for the person who decides. */
export function destinationOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  if (loopback.test(uri)) return 'a program on this computer'
  return protocol === 'https:' ? host : `the program ${protocol.slice(0, -1)} on this device`
}

/**
 * The address as a source of a Content-Security-Policy: a form that ends in a redirect there may be sent. Such a source
 * cannot name an IPv6 address (CSP 3, 2.3.1), so for that one it is the scheme.
 */
export function formTargetOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return claimed.test(protocol) || host.startsWith('[') ? protocol : `${protocol}//${host}`
}
