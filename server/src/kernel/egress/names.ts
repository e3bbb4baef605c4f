import { Resolver, lookup } from 'node:dns/promises'
import { isLocalhost } from './address.ts'
import type { Reach } from './egress.ts'
import { Refusal } from './failure.ts'

export interface Address {
  address: string
  family: 4 | 6
}

export interface Names {
  /** All addresses of a name, one at least. Rejects with a Refusal when there are none. Asks anew each time. */
  resolve(hostname: string): Promise<Address[]>
  /** Ends what is under way. */
  cancel(): void
}

const loopback: Address[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

/** Names are resolved once for all who ask at the same time, and not remembered: the connection is. */
export function createNames(options: {
  allowPrivate: Reach
  resolve?: (hostname: string) => Promise<Address[]>
}): Names {
  const asking = new Map<string, Promise<Address[]>>()
  const resolvers = new Set<Resolver>()
  const find = options.resolve ?? ((hostname: string) => askSystem(hostname, options.allowPrivate, resolvers))

  async function resolve(hostname: string): Promise<Address[]> {
    try {
      const addresses = await find(hostname)
      if (addresses.length > 0) return addresses
    } catch (error) {
      throw asRefusal(error)
    }
    throw new Refusal(unknownName)
  }

  return {
    async resolve(hostname) {
      if (isLocalhost(hostname)) return loopback
      const known = asking.get(hostname)
      if (known !== undefined) return known
      const answer = resolve(hostname)
      asking.set(hostname, answer)
      try {
        return await answer
      } finally {
        asking.delete(hostname)
      }
    },
    cancel() {
      for (const resolver of resolvers) resolver.cancel()
    },
  }
}

const unknownName = 'the host name does not resolve'

/** All of a question: c-ares waits 1.5 s for the first answer and doubles that, for each server in turn. */
const askMs = 4_500

/**
 * Asks the system's DNS servers. c-ares and not getaddrinfo, which holds one of the process's four threads while it
 * waits: one customer's dead name server would hold up everybody. A resolver of its own for each question can be
 * cancelled alone, and sees a changed resolv.conf.
 */
async function askSystem(
  hostname: string,
  allowPrivate: Reach,
  resolvers: Set<Resolver>,
): Promise<Address[]> {
  const resolver = new Resolver({ timeout: 1_500, tries: 2 })
  resolvers.add(resolver)
  const patience = setTimeout(() => resolver.cancel(), askMs).unref()
  try {
    return await ask(resolver, hostname)
  } catch (error) {
    // /etc/hosts counts where machines of this network are allowed.
    if (allowPrivate === 'all') return (await lookup(hostname, { all: true })).map(asAddress)
    throw error
  } finally {
    clearTimeout(patience)
    resolvers.delete(resolver)
  }
}

/** All addresses of both families. Rejects when there are none, for the reason that there is no IPv4 address. */
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

function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const unknown = code === 'ENOTFOUND' || code === 'ENODATA'
  return new Refusal(unknown ? unknownName : 'the host name could not be resolved', { cause: error })
}
