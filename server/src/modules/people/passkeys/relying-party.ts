import { isIP } from 'node:net'
import { isLoopback } from '#kernel/egress/address.ts'
import type { PlainRequest } from '#kernel/http/plain-route.ts'

/** The name that passkeys are bound to, and the origin of the pages that use them (WebAuthn, 5.1.3). */
export interface RelyingParty {
  id: string
  origin: string
}

/**
 * Returns the relying party for this request. A server on a loopback address also works as `localhost`. Returns
 * undefined at an IP address or without https, where passkeys do not work.
 */
export function relyingPartyOf(
  publicOrigin: string,
  { headers }: Pick<PlainRequest, 'headers'>,
): RelyingParty | undefined {
  const url = URL.parse(publicOrigin)
  if (url === null) return undefined
  const local = localOrigin(url)
  if (local !== undefined && new URL(local).host === headers.host) return { id: 'localhost', origin: local }
  const isSecure = url.protocol === 'https:' || url.hostname === 'localhost'
  return isSecure && !isAddress(url.hostname) ? { id: url.hostname, origin: url.origin } : undefined
}

/** Returns the `localhost` origin of a server on a loopback address; undefined for any other. */
export function localOrigin(url: URL): string | undefined {
  const { protocol, hostname, port } = url
  if (!isLoopback(bare(hostname))) return undefined
  return new URL(`${protocol}//localhost:${port}`).origin
}

const isAddress = (hostname: string) => isIP(bare(hostname)) !== 0

const bare = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')
