import { setTimeout as delay } from 'node:timers/promises'
import { Client, DatabaseError } from 'pg'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { owner } from './make-cluster.ts'
import { type Postmaster, isPostmaster } from './postmaster.ts'
import type { Site } from './site.ts'

declare module 'pg' {
  // Published by pg and left out by its types.
  interface ClientBase {
    ref(): void
    unref(): void
  }
}

/** The connection that a process keeps for as long as it uses the cluster: it counts as a user, and may hold the lock. */
export interface Session {
  client: Client
  /** Settles when the connection is over, whoever ended it. */
  ended: Promise<void>
}

const sessionName = 'gable-embedded'

/** Any two numbers; the same in every Gable, and used for nothing else. */
const exclusiveLock = [1_734_435_436, 1]
const exclusivePatienceMs = 1500
const departurePatienceMs = 1000
const silenceMs = 10_000
const recoveryMs = 600_000

/** One attempt; rejects with pg's or the system's error. */
export async function connect(site: Site, port: number): Promise<Session> {
  const client = new Client({
    host: '127.0.0.1',
    port,
    user: owner,
    password: site.record.password,
    database: 'postgres',
    application_name: `${sessionName} ${process.pid}`,
    connectionTimeoutMillis: 2000,
    query_timeout: 30_000,
    keepAlive: true,
  })
  // An error without a listener ends the process; what matters here is the end that follows it.
  client.on('error', () => {})
  const ended = new Promise<void>((resolve) => client.once('end', resolve))
  await client.connect()
  return { client, ended }
}

export type Silence = 'gone' | 'refused' | 'silent'

/**
 * Connects as soon as the postmaster lets us, which takes minutes when there is much to recover. Otherwise says why
 * not: its process is gone, it refuses our password, or it says nothing at all.
 */
export async function connectWhenReady(
  site: Site,
  { pid, port }: Postmaster,
  signal?: AbortSignal,
): Promise<Session | Silence> {
  let patience = performance.now() + silenceMs
  const recoveryEndsAt = performance.now() + recoveryMs
  // Quick at first; each attempt during a recovery is a line in PostgreSQL's log.
  for (
    let pauseMs = 10;
    performance.now() < Math.min(patience, recoveryEndsAt);
    pauseMs = Math.min(pauseMs * 1.3, 250)
  ) {
    signal?.throwIfAborted()
    try {
      return await connect(site, port)
    } catch (error) {
      const code = error instanceof DatabaseError ? error.code : undefined
      if (code?.startsWith('28')) return 'refused'
      // It answers, so it lives: cannot_connect_now, too_many_connections.
      if (code !== undefined) patience = performance.now() + silenceMs
    }
    if (!isPostmaster(site, pid)) return 'gone'
    await delay(pauseMs)
  }
  return 'silent'
}

/** Takes the lock that one process at a time holds; the server lets go of it when the connection ends, however it ends. */
export async function holdExclusively({ client }: Session, dataDir: string): Promise<void> {
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
  throw new EmbeddedPostgresError(`The data directory ${dataDir} is held by another Gable (pid ${pid}).`)
}

/**
 * How many connections of Gable there are beside this one. Our own that were just closed get a moment to vanish; a
 * session like this one means another user, who stays.
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
