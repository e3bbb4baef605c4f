/** Parts of a loopback address: scheme and host, port, and the rest, which is empty or begins with `/` or `?`. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::(\d{1,5}))?((?:[/?].*)?)$/

export const maxUriLength = 2048

/** Characters of a URI (RFC 3986), without `#`. */
const characters = /^[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+$/

/** A private-use scheme: a reversed domain name (RFC 8252, 7.1). */
const privateUse = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/

/** A host name or address without characters that are special in a Content-Security-Policy. */
const plainHost = /^([a-z0-9.-]+|\[[0-9a-f:.]+\])$/

/** Returns why a redirect URI cannot be registered; undefined if it can. */
export function redirectUriIssue(uri: string): string | undefined {
  if (uri.length > maxUriLength) return `must have at most ${maxUriLength} characters`
  if (uri.includes('#')) return 'must have no fragment'
  if (!characters.test(uri) || !URL.canParse(uri)) return 'must be an absolute URI'
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return 'must have no user name and no password'
  if (loopback.test(uri) || privateUse.test(protocol)) return undefined
  if (protocol === 'https:')
    return /^https:\/\/[^/?]/.test(uri) && plainHost.test(hostname) ? undefined : 'must name a host'
  if (protocol === 'http:') return 'must begin with https://, except for 127.0.0.1, [::1] and localhost'
  return 'must begin with https://, with http://127.0.0.1, or with a scheme such as com.example.app:'
}

/**
 * Compares the URIs as strings, except that a loopback address matches with any port, because a native app listens on
 * whichever port is free (RFC 8252, 7.3).
 */
export function matchesRedirectUri(registered: string, sent: string): boolean {
  if (registered === sent) return true
  const [, origin, , rest] = loopback.exec(registered) ?? []
  const [, sentOrigin, port, sentRest] = loopback.exec(sent) ?? []
  return origin !== undefined && origin === sentOrigin && rest === sentRest && Number(port ?? 80) <= 65_535
}

/** Appends query parameters. Does not parse and reserialize the URI, which could change where it leads. */
export function appendTo(uri: string, parameters: Readonly<Record<string, string>>): string {
  const query = Object.entries(parameters)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&')
  if (!uri.includes('?')) return `${uri}?${query}`
  return /[?&]$/.test(uri) ? uri + query : `${uri}&${query}`
}

/** Where a redirect URI leads, in words for the consent page. */
export function destinationOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  if (loopback.test(uri)) return 'a program on this computer'
  return protocol === 'https:' ? host : `the program ${protocol.slice(0, -1)} on this device`
}

/**
 * The redirect URI as a `form-action` source of a Content-Security-Policy. A source cannot name an IPv6 address (CSP 3,
 * 2.3.1), so for an IPv6 address it is only the scheme.
 */
export function formTargetOf(uri: string): string {
  const { protocol, host } = new URL(uri)
  return privateUse.test(protocol) || host.startsWith('[') ? protocol : `${protocol}//${host}`
}
