import type pg from 'pg'
import { toAppError, toReferenceError } from './errors.ts'
import type { Reach, DirectoryTx, WorkspaceTx } from './handles.ts'
import { type Call, type Result, type Statement, isSpoiled, send, sendTogether } from './pipeline-batch.ts'
import { queries, sqlTag } from './rows.ts'
import { sql } from './sql.ts'
import { setReach, setTenant } from './tenant.ts'

const begin = sql`begin`
const commit = sql`commit`
const rollback = sql`rollback`

/** Runs `work` in a transaction of one workspace, within a reach. */
export async function workspaceTransaction<T>(
  pool: pg.Pool,
  { workspaceId, reach }: Pick<WorkspaceTx, 'workspaceId' | 'reach'>,
  checked: boolean,
  work: (tx: WorkspaceTx) => Promise<T>,
): Promise<T> {
  const opening = [begin, setTenant(workspaceId, reach), ...(reach === 'all' ? [] : [setReach(reach)])]
  return transaction(pool, opening, checked, (open) => {
    let current = reach
    const handleOf = (wanted: Reach): WorkspaceTx => {
      const change = () => {
        if (wanted === current) return []
        current = wanted
        return [setReach(wanted)]
      }
      const handle: WorkspaceTx = {
        ...open(change),
        workspaceId,
        checked,
        reach: wanted,
        unrestricted: () => (wanted === 'all' ? handle : handleOf('all')),
      }
      return handle
    }
    return work(handleOf(reach))
  })
}

/** Runs `work` in a transaction on directory tables. */
export const directoryTransaction = <T>(
  pool: pg.Pool,
  checked: boolean,
  work: (tx: DirectoryTx) => Promise<T>,
): Promise<T> => transaction(pool, [begin], checked, (open) => work(open()))

/**
 * Runs `work` in one transaction: commits when it returns, rolls back when it throws.
 *
 * `opening` travels with the first statement, and pending writes travel with the next query or the commit. So
 * creating a record with its event takes one round trip, and changing one takes two. `work` opens handles on the
 * transaction. Each statement of a handle is preceded by what the handle's `before` returns.
 */
async function transaction<T>(
  pool: pg.Pool,
  opening: readonly Statement[],
  checked: boolean,
  work: (open: (before?: () => readonly Statement[]) => DirectoryTx) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  let written: Statement[] = []
  let open = false
  /** What goes out before the next statement: `opening` if that statement is the first, and all pending writes. */
  const pending = () => {
    const statements = open ? written : [...opening, ...written]
    open = true
    written = []
    return statements
  }
  /** Once set, nothing more is sent: another transaction may have the connection by now, or BEGIN was not sent. */
  let over = false
  let unsent: unknown
  /** Queries made in the same turn, or while a batch is in flight, travel together in the next batch. */
  let waiting: Call[] = []
  let sending: Promise<void> | undefined
  const sendInTurn = (statements: readonly Statement[]): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (over) return reject(unsent ?? new Error('The transaction is over.'))
      waiting.push({ statements, resolve, reject })
      sending ??= sendWaiting()
    })
  async function sendWaiting(): Promise<void> {
    // Wait for the end of the turn, so that all queries in it share the batch.
    await undefined
    while (waiting.length > 0) {
      const calls = waiting
      waiting = []
      const failed = (error: unknown, those: readonly Call[]) => those.forEach(({ reject }) => reject(error))
      try {
        await sendTogether(client, calls, (error, first, rest) => failed(error, [first, ...rest]))
      } catch (error) {
        over = true
        unsent = error
        failed(error, [...calls, ...waiting.splice(0)])
      }
    }
    sending = undefined
  }
  const openHandle = (preceding: () => readonly Statement[] = () => []): DirectoryTx => ({
    ...queries((statement) => {
      written.push(...preceding())
      return sendInTurn([...pending(), statement])
    }, checked),
    directory: true,
    write: sqlTag((statement) => void written.push(...preceding(), statement)),
    async flush() {
      if (written.length > 0) await sendInTurn(pending())
    },
  })

  try {
    const value = await work(openHandle)
    if (open || written.length > 0) {
      const { command } = await sendInTurn([...pending(), commit])
      if (command !== 'COMMIT') throw new Error('The transaction had failed before its commit.')
    }
    over = true
    client.release()
    return value
  } catch (error) {
    over = true
    await sending
    await abandon(client, open)
    throw toReferenceError(error)
  }
}

/** Runs one statement on a pooled connection, outside a transaction and without a workspace. */
export async function executeOnPool(pool: pg.Pool, statement: Statement): Promise<Result> {
  const client = await connect(pool)
  try {
    return await send(client, [statement])
  } finally {
    client.release(isSpoiled(client))
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw toAppError(error)
  }
}

/** Rolls back. If even that fails, closes the connection, which ends its transaction. */
async function abandon(client: pg.PoolClient, open: boolean): Promise<void> {
  try {
    if (open && !isSpoiled(client)) await send(client, [rollback])
    client.release(isSpoiled(client))
  } catch (error) {
    client.release(error instanceof Error ? error : true)
  }
}
