import pg from 'pg'
import type { Log } from '../log.ts'
import { type Statement, lastOf } from './burst.ts'
import { type Pipelined, askPipelined, pipelined } from './pipelined.ts'
import { type Queries, queries } from './rows.ts'
import { type Db, tenantDb } from './tenant.ts'
import { type Writer, askWithoutTenant, transaction } from './transaction.ts'

export interface DatabaseOptions {
  /** postgres:// URL of a user that is a member of the role gable_app. */
  url: string
  log: Log
  /** Hold every row against its schema. */
  checked: boolean
  /** Connections for transactions; the pipelined ones come on top. */
  maxWriters?: number
}

/**
 * The database in five ways, each on connections of its own, because on a shared one a slow statement holds up
 * everything behind it: few pipelined ones for quick reads, some for searches, one for the front door's batches,
 * a pool for transactions, and of the same pool the directory: tables that belong to no workspace.
 */
export interface Database extends AsyncDisposable {
  reads(workspaceId: string): Db
  /** For questions whose cost the caller decides, such as a search for two letters. */
  searches(workspaceId: string): Db
  transaction<T>(workspaceId: string, work: (tx: Writer) => Promise<T>): Promise<T>
  /** Tables without a tenant; sees no tenant's rows. */
  directory: Queries
  /** The front door's batches. */
  door: Queries
  /**
   * A connection of its own that acts in all workspaces, as a role that may do one thing there and nothing else. Each
   * question runs after the statements of `before`, in one transaction and one round trip with them.
   */
  across(role: string, before?: readonly Statement[]): Queries & AsyncDisposable
  pool: pg.Pool
}

const readConnections = 2
const searchConnections = 4

/** For statements that take arrays, for which PostgreSQL would otherwise make a plan at every execution. */
const genericPlan = '-c plan_cache_mode=force_generic_plan'

/** For statements on tables that grow from nothing to millions: a plan that is kept would fit one of the two. */
const customPlan = '-c plan_cache_mode=force_custom_plan'

/** Compiling a statement takes a tenth of a second, and ours run for milliseconds whatever the planner expects. */
const uncompiled = '-c jit=off'

/** The role that owns nothing and that row-level security binds; every connection of the server takes it on. */
const appRole = 'gable_app'

/** Opens no connection yet: each connects when it is first used. */
export function openDatabase({ url, log, checked, maxWriters = 10 }: DatabaseOptions): Database {
  // pg lets the URL's options win over ours, and with them would go the role. Ours come last, and the last one counts.
  const address = new URL(url)
  const asked = address.searchParams.get('options') ?? ''
  for (const name of ['options', 'application_name']) address.searchParams.delete(name)
  const config = (name: string, statementTimeoutMs: number, more = '', role = appRole): pg.ClientConfig => ({
    connectionString: address.href,
    application_name: `gable ${name}`,
    connectionTimeoutMillis: 3000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `${asked} -c role=${role} -c timezone=UTC ${uncompiled} -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=15000 ${more}`,
  })
  const reads = connections(readConnections, config('reads', 5000), log)
  const searches = connections(searchConnections, config('searches', 5000), log)
  const door = pipelined(config('door', 5000, genericPlan), log, { gathers: false })
  const pool = new pg.Pool({ ...config('writes', 10_000), max: maxWriters })
  const lost = (error: Error) => log.warn({ err: error }, 'database connection lost')
  pool.on('error', lost)
  pool.on('connect', (client) => client.on('error', lost))

  return {
    reads: (workspaceId) => tenantDb(reads.next(), workspaceId, checked),
    searches: (workspaceId) => tenantDb(searches.next(), workspaceId, checked),
    transaction: (workspaceId, work) => transaction(pool, workspaceId, checked, work),
    directory: queries((statement) => askWithoutTenant(pool, statement), checked),
    door: queries((statement) => askPipelined(door, statement), checked),
    across(role, before = []) {
      const connection = pipelined(config(role, 10_000, customPlan, role), log, { gathers: false })
      const ask = async (statement: Statement) => lastOf(await connection.send([...before, statement]))
      return {
        ...queries(ask, checked),
        [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
      }
    },
    pool,
    async [Symbol.asyncDispose]() {
      await Promise.all([...reads.all, ...searches.all, door].map((one) => one[Symbol.asyncDispose]()))
      await pool.end()
    },
  }
}

function connections(count: number, config: pg.ClientConfig, log: Log) {
  const all = Array.from({ length: count }, () => pipelined(config, log, { gathers: true }))
  let turn = 0
  const next = (): Pipelined => {
    turn = (turn + 1) % all.length
    const connection = all[turn]
    if (connection === undefined) throw new Error('No connection to take.')
    return connection
  }
  return { all, next }
}
