import { setTimeout as delay } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import type { Cluster } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import { owner } from './initdb.ts'
import { type Postmaster, isPostmaster } from './postmaster.ts'

declare module 'pg' {
  // pg exports these, but its types omit them.
  interface ClientBase {
    ref(): void
    unref(): void
  }
}

/**
 * The connection that a process keeps open while it uses the cluster. It marks the process as a user of the cluster
 * and may hold the exclusive lock.
 */
export interface Session {
  client: Client
  /** Resolves when the connection ends for any reason. */
  ended: Promise<void>
}

const sessionName = 'gable-embedded'

/** Two arbitrary numbers that must never change and that no other lock uses. */
const exclusiveLock = [1_734_435_436, 1]
const exclusivePatienceMs = 1500
const departurePatienceMs = 1000
const responseTimeoutMs = 10_000
const recoveryMs = 600_000

/** Makes one attempt to connect. Rejects with pg's or the system's error. */
export async function connect(cluster: Cluster, port: number): Promise<Session> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: owner,
    password: cluster.record.password,
    database: 'postgres',
    application_name: `${sessionName} ${process.pid}`,
    connectionTimeoutMillis: 2000,
    query_timeout: 30_000,
    keepAlive: true,
  })
  // Without a listener, an error would end the process. An 'end' event follows the error.
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  await client.connect()
  return { client, ended }
}

export type ConnectFailure = 'gone' | 'rejected' | 'unresponsive'

/**
 * Connects as soon as PostgreSQL accepts connections. After a crash with a lot to recover, that takes minutes.
 * Returns the reason for a failure: the process is gone, it rejects the password, or it does not respond.
 */
export async function connectWhenReady(
  cluster: Cluster,
  { pid, port }: Postmaster,
  signal?: AbortSignal,
): Promise<Session | ConnectFailure> {
  let patience = performance.now() + responseTimeoutMs
  const recoveryEndsAt = performance.now() + recoveryMs
  // Slow down, because each attempt during a recovery adds a line to PostgreSQL's log.
  for (
    let pauseMs = 10;
    performance.now() < Math.min(patience, recoveryEndsAt);
    pauseMs = Math.min(pauseMs * 1.3, 250)
  ) {
    signal?.throwIfAborted()
    try {
      return await connect(cluster, port)
    } catch (error) {
      const code = error instanceof DatabaseError ? error.code : undefined
      if (code?.startsWith('28')) return 'rejected'
      // A response such as cannot_connect_now or too_many_connections shows that it is running.
      if (code !== undefined) patience = performance.now() + responseTimeoutMs
    }
    if (!isPostmaster(cluster, pid)) return 'gone'
    await delay(pauseMs)
  }
  return 'unresponsive'
}

/**
 * Takes the lock that only one process can hold. PostgreSQL releases it when the connection ends. Throws if another
 * process holds it.
 */
export async function lockExclusively({ client }: Session, dataDir: string): Promise<void> {
  const givesUpAt = performance.now() + exclusivePatienceMs
  for (;;) {
    const { rows } = await client.query<{ held: boolean }>(
      'select pg_try_advisory_lock($1, $2) as held',
      exclusiveLock,
    )
    if (rows[0]?.held === true) return
    if (performance.now() > givesUpAt) break
    await delay(100)
  }
  const holder = await client.query<{ application_name: string }>(
    `select application_name from pg_stat_activity join pg_locks using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and granted`,
    exclusiveLock,
  )
  const pid = /\d+$/.exec(holder.rows[0]?.application_name ?? '')?.[0] ?? 'unknown'
  throw new EmbeddedPostgresError(`The data directory ${dataDir} is in use by another Gable (pid ${pid}).`)
}

/**
 * Counts Gable's other connections. Waits a moment for connections that were just closed to disappear, unless there
 * is another session like this one: then another process is using the cluster.
 */
export async function countOthers({ client }: Session): Promise<number> {
  const givesUpAt = performance.now() + departurePatienceMs
  for (;;) {
    const { rows } = await client.query<{ others: number; users: number }>(
      `select count(*)::int as others, count(*) filter (where starts_with(application_name, $1))::int as users
       from pg_stat_activity
       where application_name like 'gable%' and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      [sessionName],
    )
    const { others, users } = rows[0] ?? { others: 0, users: 0 }
    if (others === 0 || users > 0 || performance.now() > givesUpAt) return others
    await delay(20)
  }
}

export async function endSession({ client, ended }: Session): Promise<void> {
  client.ref()
  client.end().catch(() => {})
  await Promise.race([ended, delay(2000, undefined, { ref: false })])
}
