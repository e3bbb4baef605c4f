import pg from 'pg'
import type { Log } from '../log.ts'
import { type Slots, fairSlots } from '../slots.ts'
import type { Reach, Db, Directory, DirectoryDb, Queries, WorkspaceTx } from './handles.ts'
import { type OnConnection, connectionPeers } from './peers.ts'
import { type Statement, send } from './pipeline-batch.ts'
import { type OnNotification, type Pipelined, pipelined } from './pipelined.ts'
import { byIndex, genericPlan, withoutSeqScans } from './plans.ts'
import { defaultResponseTimeoutMs } from './response-timeout.ts'
import { queries } from './rows.ts'
import { sql } from './sql.ts'
import { appRole, memberRole, tenantDb } from './tenant.ts'
import { directoryTransaction, executeOnPool, workspaceTransaction } from './transaction.ts'

export interface DatabaseOptions {
  /** `postgres://` URL of a user that is a member of the role `gable_app`. */
  url: string
  log: Log
  /** Check every row against its schema. */
  checked: boolean
  /** How long a caller waits for a connection. */
  connectTimeoutMs?: number | undefined
  /** A connection that has not responded for this long is closed, because a vanished host never responds. */
  responseTimeoutMs?: number | undefined
}

/**
 * Database handles by purpose. Each kind has its own connections, because a slow statement on a shared connection
 * delays everything behind it. There are a few pipelined connections for quick reads and for searches, one for
 * authentication, and a pool for transactions and the directory.
 */
export interface Database extends AsyncDisposable {
  /** Quick reads of one workspace. Reach is unlimited by default. */
  reads(workspaceId: string, reach?: Reach): Db
  /**
   * Reads that find rows of one workspace by key, with unlimited reach. PostgreSQL plans these statements once and by
   * index. Otherwise, planning a statement that takes arrays would cost more than running it.
   */
  lookups(workspaceId: string): Db
  /** Reads of one workspace whose cost depends on the caller's input, such as a search for two letters. */
  searches(workspaceId: string, reach?: Reach): Db
  /** Commits when `work` returns, rolls back when it throws. */
  transaction<T>(workspaceId: string, work: (tx: WorkspaceTx) => Promise<T>, reach?: Reach): Promise<T>
  /**
   * Writes of one workspace that a crash may lose. Those of all callers within one turn of the event loop are one
   * transaction: if one fails, some of the others are lost with it.
   */
  unflushed(workspaceId: string): Db
  directory: Directory
  /** For authentication's batches. */
  authenticator: DirectoryDb
  /**
   * Opens a connection that acts in all workspaces, as a role whose grants limit it to one purpose. Each query runs
   * after the `before` statements, in the same transaction and round trip. PostgreSQL plans its statements once and
   * by index; see `byIndex`. `onNotification`: see `PipelinedOptions`.
   */
  across(
    role: string,
    before?: readonly Statement[],
    onNotification?: OnNotification,
  ): Queries & AsyncDisposable
  /** Runs a statement on a connection for reads. Rejects if the connection is unusable. */
  ping(): Promise<void>
  /**
   * Calls when a connection is made or has ended, until the returned function is called: the next one may lead to another
   * database.
   */
  onConnection(call: OnConnection): () => void
  /** Whether transactions can write now. Rejects if there is no connection. */
  isWritable(): Promise<boolean>
  pool: pg.Pool
}

/**
 * For transactions and the directory: one workspace alone gets ten at once; see `fairSlots`. Some more are for the jobs'
 * queue.
 */
const writeSlots = 20
const writeConnections = writeSlots + 4
/** How long a caller waits for others before it gets a 503. */
const slotWaitMs = 5000

/** Longer than a lock is ever held by work that makes progress. */
const lockTimeoutMs = 3000

/** Without the credential, no request can be served, so a dead connection must be noticed soon. */
const authenticationTimeoutMs = 6000

/**
 * For the server's side of each connection. node-postgres ignores what libpq would take from the URL. The server then ends the
 * session of a process that has vanished, with its locks, within half a minute.
 */
const vanishedPeers =
  '-c tcp_user_timeout=20000 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3'
/** An idle server asks every few seconds, and opening a connection costs a hundred times as much as asking. */
const poolIdleMs = 300_000
const readConnections = 2
const searchConnections = 4
const lookupConnections = 2
/** Of each kind, for members whose reach is limited. */
const memberConnections = 2

/** For writes that a server crash may lose: request counts, the last use of a credential, and the log of requests. */
const unflushed = '-c synchronous_commit=off'

/** Compiling a statement takes a tenth of a second; Gable's statements run for milliseconds. */
const uncompiled = '-c jit=off'

/** Opens no connection yet: each one connects on first use. */
export function openDatabase({
  url,
  log,
  checked,
  connectTimeoutMs = 3000,
  responseTimeoutMs = defaultResponseTimeoutMs,
}: DatabaseOptions): Database {
  // pg prefers the URL's options to `options` below, which would lose the role. So take them out of the URL and put
  // Gable's after them: the last value of each option wins.
  const address = new URL(url)
  const asked = address.searchParams.get('options') ?? ''
  for (const name of ['options', 'application_name']) address.searchParams.delete(name)
  const config = (name: string, statementTimeoutMs: number, more = '', role = appRole): pg.ClientConfig => ({
    connectionString: address.href,
    application_name: `gable ${name}`,
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    options: `${asked} -c role=${role} -c timezone=UTC ${uncompiled} -c statement_timeout=${statementTimeoutMs} -c idle_in_transaction_session_timeout=15000 ${vanishedPeers} ${more}`,
  })
  const peers = connectionPeers()
  const slots = fairSlots(writeSlots, slotWaitMs)
  const combined = { combine: true, peers, responseTimeoutMs }
  const separate = { combine: false, peers, responseTimeoutMs }
  const open = (count: number, name: string, role = appRole, more = '') =>
    roundRobin(Array.from({ length: count }, () => pipelined(config(name, 5000, more, role), log, combined)))
  const reads = open(readConnections, 'reads')
  const searches = open(searchConnections, 'searches')
  const lookups = open(lookupConnections, 'lookups', appRole, byIndex)
  const memberReads = open(memberConnections, 'member reads', memberRole)
  const memberSearches = open(memberConnections, 'member searches', memberRole)
  const authenticator = pipelined(config('authentication', 5000, `${genericPlan} ${unflushed}`), log, {
    ...separate,
    responseTimeoutMs: Math.min(responseTimeoutMs, authenticationTimeoutMs),
  })
  const aside = pipelined(config('log', 5000, unflushed), log, combined)
  const pool = new pg.Pool({
    ...config('writes', 10_000, `${withoutSeqScans} -c lock_timeout=${lockTimeoutMs}`),
    max: writeConnections,
    idleTimeoutMillis: poolIdleMs,
  })
  const lost = (error: Error) => log.warn({ err: error }, 'database connection lost')
  pool.on('error', lost)
  pool.on('connect', (client) => {
    client.on('error', lost)
    peers.add(client, responseTimeoutMs)
  })

  return {
    reads: (workspaceId, reach = 'all') =>
      tenantDb((reach === 'all' ? reads : memberReads).next(), workspaceId, reach, checked),
    lookups: (workspaceId) => tenantDb(lookups.next(), workspaceId, 'all', checked),
    searches: (workspaceId, reach = 'all') =>
      tenantDb((reach === 'all' ? searches : memberSearches).next(), workspaceId, reach, checked),
    transaction: (workspaceId, work, reach = 'all') =>
      inSlot(slots, workspaceId, () => workspaceTransaction(pool, { workspaceId, reach }, checked, work)),
    unflushed: (workspaceId) => tenantDb(aside, workspaceId, 'all', checked),
    directory: {
      ...queries((statement) => inSlot(slots, '', () => executeOnPool(pool, statement)), checked),
      directory: true,
      transaction: (work) => inSlot(slots, '', () => directoryTransaction(pool, checked, work)),
    },
    authenticator: {
      ...queries((statement) => authenticator.send([statement]), checked),
      directory: true,
    },
    across(role, before, onNotification) {
      const connection = pipelined(config(role, 10_000, byIndex, role), log, { ...separate, onNotification })
      const execute = (statement: Statement) => connection.send([...(before ?? []), statement])
      return {
        ...queries(execute, checked),
        [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
      }
    },
    async ping() {
      await reads.next().send([sql`select 1`])
    },
    onConnection: peers.onChange,
    async isWritable() {
      // Connections from a time when nothing could be written are closed until a new one responds.
      for (let tries = 0; tries <= writeConnections; tries++) {
        const client = await pool.connect()
        let isUsable = false
        try {
          const { rows } = await send(client, [readOnly])
          isUsable = rows[0]?.['read_only'] === false
        } finally {
          client.release(!isUsable)
        }
        if (isUsable) return true
      }
      return false
    },
    pool,
    async [Symbol.asyncDispose]() {
      await Promise.all(
        [
          ...reads.all,
          ...lookups.all,
          ...searches.all,
          ...memberReads.all,
          ...memberSearches.all,
          authenticator,
          aside,
        ].map((one) => one[Symbol.asyncDispose]()),
      )
      await pool.end()
    },
  }
}

/** Runs work in a place of this workspace, or of the directory. */
async function inSlot<T>(slots: Slots, tenant: string, work: () => Promise<T>): Promise<T> {
  const leave = await slots.enter(tenant)
  try {
    return await work()
  } finally {
    leave()
  }
}

const readOnly = sql`select current_setting('transaction_read_only')::boolean or pg_is_in_recovery() as read_only`

function roundRobin(all: readonly Pipelined[]) {
  let turn = 0
  const next = (): Pipelined => {
    turn = (turn + 1) % all.length
    const connection = all[turn]
    if (connection === undefined) throw new Error('There is no connection.')
    return connection
  }
  return { all, next }
}
