import { readFileSync, readdirSync } from 'node:fs'
import { connected } from './databases.ts'

/** On Linux, /proc reports every process's CPU time in hundredths of a second, whatever unit its kernel uses. */
const tickMs = 10

interface Used {
  parent: number
  /** Milliseconds of the process itself, and together with those of its children that have exited. */
  own: number
  withEnded: number
}

/** What a process has used so far, from /proc. Undefined if there is no such process or no /proc. */
function usedBy(pid: number): Used | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may contain blanks; the fields after it do not.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11)
    const own = (user + system) * tickMs
    return { parent, own, withEnded: own + (endedUser + endedSystem) * tickMs }
  } catch {
    return undefined
  }
}

/** CPU milliseconds of a process. */
export const cpuOf = (pid: number): number => usedBy(pid)?.own ?? Number.NaN

/** CPU milliseconds of all processes of a PostgreSQL on this machine, including those that have exited. */
export function cpuOfPostgres(postmaster: number): number {
  const children = childrenOf(postmaster).map((pid) => usedBy(pid)?.own ?? 0)
  return (usedBy(postmaster)?.withEnded ?? Number.NaN) + children.reduce((sum, own) => sum + own, 0)
}

/** The processes that this one has started. */
export const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((other) => usedBy(other)?.parent === pid)

/** The server's main process, the parent of all others. Throws unless the server runs on this machine. */
export async function postmasterOf(url: string): Promise<number> {
  return connected(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const postmaster = usedBy(rows[0]?.pid ?? 0)?.parent
    if (postmaster === undefined)
      throw new Error('The benchmark needs a PostgreSQL on this machine, and Linux.')
    return postmaster
  })
}
