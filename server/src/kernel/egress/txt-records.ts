import { Resolver } from 'node:dns/promises'

/**
 * Returns the TXT records of a name, with the parts of each joined. Empty if the name or its records do not exist.
 * Rejects if it cannot find out.
 */
export type TxtLookup = (name: string) => Promise<readonly string[]>

/** Timeout of one attempt. There are two. */
const timeoutMs = 2_000

const doesNotExist = new Set(['ENOTFOUND', 'ENODATA'])

/** Queries TXT records from the system's name servers, or from `servers`. */
export const txtLookup =
  (servers?: readonly string[]): TxtLookup =>
  async (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers !== undefined) resolver.setServers(servers)
    try {
      return (await resolver.resolveTxt(name)).map((parts) => parts.join(''))
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException
      if (doesNotExist.has(code)) return []
      throw new Error(`The TXT records of ${name} are not known: ${code}`, { cause: error })
    }
  }
