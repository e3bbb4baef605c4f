import { Resolver } from 'node:dns/promises'

/** The TXT records of a name, each in one piece; none if the name or its records do not exist. Rejects where that is not known. */
export type TxtLookup = (name: string) => Promise<readonly string[]>

/** An attempt, of which there are two. */
const timeoutMs = 2_000

const doesNotExist = new Set(['ENOTFOUND', 'ENODATA'])

/** Looks TXT records up with the system's name servers, or with these. */
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
