import type pg from 'pg'
import { type Result, type Statement, lastOf, send } from './burst.ts'
import { asAnswer } from './faults.ts'
import { type Queries, queries } from './rows.ts'
import { sql } from './sql.ts'
import { setTenant } from './tenant.ts'

/** What runs inside one transaction of one workspace. */
export interface Writer extends Queries {
  readonly workspaceId: string
  /**
   * Writes without waiting for an answer: the statement travels with the next question, or at the latest with the
   * COMMIT. Order is kept, and what fails undoes the whole.
   */
  write(statement: Statement): void
  /** Sends what has been written now, for whoever must learn before the commit whether it succeeds. */
  flush(): Promise<void>
}

const begin = sql`begin`
const commit = sql`commit`
const rollback = sql`rollback`

/**
 * Runs `work` in one transaction; commits when it returns, undoes everything when it throws.
 * BEGIN and the tenant travel with the first statement, and what was written without waiting travels with the next
 * question or the commit: creating a record with its event is one round trip, changing one is two.
 */
export async function transaction<T>(
  pool: pg.Pool,
  workspaceId: string,
  checked: boolean,
  work: (tx: Writer) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  let written: Statement[] = []
  let open = false
  /** What goes out before the next statement: the beginning, and all that has been written. */
  const before = () => {
    const statements = open ? written : [begin, setTenant(workspaceId), ...written]
    open = true
    written = []
    return statements
  }
  const ask = async (statement: Statement) => lastOf(await send(client, [...before(), statement]))
  const writer: Writer = {
    ...queries(ask, checked),
    workspaceId,
    write: (statement) => void written.push(statement),
    async flush() {
      if (written.length > 0) await send(client, before())
    },
  }

  try {
    const value = await work(writer)
    if (open || written.length > 0) {
      const { command } = lastOf(await send(client, [...before(), commit]))
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
