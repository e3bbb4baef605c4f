import type pg from 'pg'
import { type Result, type Statement, send } from './burst.ts'
import { asAnswer } from './faults.ts'
import { type Queries, queries } from './rows.ts'
import { sql } from './sql.ts'
import { setTenant } from './tenant.ts'

/** What runs inside one transaction of one workspace. */
export interface Writer extends Queries {
  readonly workspaceId: string
  /** Sends the statement together with the COMMIT: for rows whose answer nobody waits for. */
  atCommit(statement: Statement): void
  /** Sends what waits for the commit now, for whoever must learn before it whether it succeeds. */
  flush(): Promise<void>
}

const begin = sql`begin`
const commit = sql`commit`
const rollback = sql`rollback`

/**
 * Runs `work` in one transaction; commits when it returns, undoes everything when it throws.
 * BEGIN and the tenant travel with the first statement, and what was put off until the commit travels with it:
 * a write with its event costs two round trips.
 */
export async function transaction<T>(
  pool: pg.Pool,
  workspaceId: string,
  checked: boolean,
  work: (tx: Writer) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  let last: Statement[] = []
  let open = false
  const opening = () => {
    const statements = open ? [] : [begin, setTenant(workspaceId)]
    open = true
    return statements
  }
  const ask = async (statement: Statement) => lastOf(await send(client, [...opening(), statement]))
  const writer: Writer = {
    ...queries(ask, checked),
    workspaceId,
    atCommit: (statement) => void last.push(statement),
    async flush() {
      const waiting = last
      last = []
      if (waiting.length > 0) await send(client, [...opening(), ...waiting])
    },
  }

  try {
    const value = await work(writer)
    if (open || last.length > 0) {
      const { command } = lastOf(await send(client, [...opening(), ...last, commit]))
      if (command !== 'COMMIT') throw new Error('The transaction had failed before its commit.')
    }
    client.release()
    return value
  } catch (error) {
    await abandon(client, open)
    throw error
  }
}

/** One statement on a connection of the pool, without a tenant. */
export async function askWithoutTenant(pool: pg.Pool, statement: Statement): Promise<Result> {
  const client = await connect(pool)
  try {
    return lastOf(await send(client, [statement]))
  } finally {
    client.release()
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw asAnswer(error)
  }
}

/** Rolls back; a connection that cannot even do that is thrown away, and with it its transaction. */
async function abandon(client: pg.PoolClient, open: boolean): Promise<void> {
  try {
    if (open) await send(client, [rollback])
    client.release()
  } catch (error) {
    client.release(error instanceof Error ? error : true)
  }
}

function lastOf(results: Result[]): Result {
  const result = results.at(-1)
  if (result === undefined) throw new Error('A burst answered nothing.')
  return result
}
