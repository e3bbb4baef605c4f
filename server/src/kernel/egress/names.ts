import { Resolver, lookup } from 'node:dns/promises'
import { isLocalhost } from './address.ts'
import type { Address } from './egress.ts'
import { EgressError } from './failure.ts'
import type { Rules } from './rules.ts'

export interface NameResolver {
  /**
   * Returns all addresses of a name; there is at least one. Rejects with `EgressError` if the name has none. Nothing
   * is cached.
   */
  resolve(hostname: string): Promise<Address[]>
  /** Cancels all running queries. */
  cancel(): void
}

const loopback: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Concurrent calls for a name share one query. Results are not cached, because connections are kept open. */
export function createNameResolver({
  allowPrivate,
  allow,
  resolve: given,
}: Pick<Rules, 'allowPrivate' | 'allow'> & {
  resolve?: (hostname: string) => Promise<Address[]>
}): NameResolver {
  const pending = new Map<string, Promise<Address[]>>()
  const resolvers = new Set<Resolver>()
  const listed = new Set([...(allow?.places ?? [])].map((place) => place.slice(0, place.lastIndexOf(':'))))
  const find =
    given ??
    ((hostname: string) =>
      resolveBySystem(hostname, allowPrivate === 'all' || listed.has(hostname), resolvers))

  async function resolve(hostname: string): Promise<Address[]> {
    try {
      const addresses = await find(hostname)
      if (addresses.length > 0) return addresses
    } catch (error) {
      throw toEgressError(error)
    }
    throw new EgressError(unknownName)
  }

  return {
    async resolve(hostname) {
      if (isLocalhost(hostname)) return loopback
      const known = pending.get(hostname)
      if (known !== undefined) return known
      const addresses = resolve(hostname)
      pending.set(hostname, addresses)
      try {
        return await addresses
      } finally {
        pending.delete(hostname)
      }
    },
    cancel() {
      for (const resolver of resolvers) resolver.cancel()
    },
  }
}

const unknownName = 'the host name does not resolve'

/** Timeout of a whole query. c-ares waits 1.5 s for a response, and then twice as long, for each server in turn. */
const resolveTimeoutMs = 4_500

/**
 * Queries the system's DNS servers. It uses c-ares because getaddrinfo blocks one of the process's four threads while
 * it waits: one customer's dead name server would delay all others. With one resolver per query, a query can be
 * canceled alone and picks up a changed resolv.conf.
 */
async function resolveBySystem(
  hostname: string,
  readsHosts: boolean,
  resolvers: Set<Resolver>,
): Promise<Address[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  resolvers.add(resolver)
  const timer = setTimeout(() => resolver.cancel(), resolveTimeoutMs).unref()
  try {
    return await ask(resolver, hostname)
  } catch (error) {
    // The operator's own names may be in /etc/hosts.
    if (readsHosts) return (await lookup(hostname, { all: true })).map(asAddress)
    throw error
  } finally {
    clearTimeout(timer)
    resolvers.delete(resolver)
  }
}

/** Returns the addresses of both families. If there are none, rejects with the error of the IPv4 query. */
export async function ask(resolver: Resolver, hostname: string): Promise<Address[]> {
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)])
  if (four.status === 'rejected' && six.status === 'rejected') throw four.reason
  return [
    ...(four.status === 'fulfilled' ? four.value : []).map((address) => ({ address, family: 4 as const })),
    ...(six.status === 'fulfilled' ? six.value : []).map((address) => ({ address, family: 6 as const })),
  ]
}

const asAddress = ({ address, family }: { address: string; family: number }): Address => ({
  address,
  family: family === 6 ? 6 : 4,
})

function toEgressError(error: unknown): EgressError {
  if (error instanceof EgressError) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const unknown = code === 'ENOTFOUND' || code === 'ENODATA'
  return new EgressError(unknown ? unknownName : 'the host name could not be resolved', { cause: error })
}
