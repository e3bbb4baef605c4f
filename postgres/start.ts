import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unprivilegedAccount } from './account.ts'
import { runnableBinaries } from './binaries.ts'
import { type Cluster, openCluster, updateRecord, reportPlace } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import { makeCluster, owner } from './initdb.ts'
import { withLock } from './lock.ts'
import { makeDataDir } from './place.ts'
import { type Postmaster, findPostmaster, isPostmaster, stopPostmaster } from './postmaster.ts'
import { type Running, ensureRunning } from './running.ts'
import { type Session, connect, countOthers, endSession, lockExclusively } from './session.ts'
import { supervise } from './supervise.ts'

export { EmbeddedPostgresError }

export interface EmbeddedPostgresOptions {
  /** Absolute path. Created if it does not exist. */
  dataDir: string
  /**
   * True for the server: only one can run at a time, and it restarts PostgreSQL after a crash. False for commands,
   * which share a running PostgreSQL or start their own.
   */
  exclusive: boolean
  log?: (line: string) => void
  /** Called when the rest is mostly waiting for PostgreSQL: initdb runs, or there is a cluster. */
  onWaiting?: () => void
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** postgres:// URL of the role that owns the database `gable`. It stays the same when PostgreSQL is restarted. */
  url: string
  /** True if this call created the cluster. */
  created: boolean
  /** Absolute path of PostgreSQL's files. Outside dataDir if PostgreSQL's user cannot reach dataDir. */
  place: string
  /** Stops PostgreSQL unless Gable has other open connections. Close your own connections first. */
  [Symbol.asyncDispose](): Promise<void>
}

const database = 'gable'

/**
 * Starts a PostgreSQL that stores its data in the data directory. Creates the cluster on the first run. If this
 * process is killed, PostgreSQL keeps running and the next start uses it. Throws `EmbeddedPostgresError` with a
 * message for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, exclusive, log = () => {}, onWaiting = () => {} } = options
  const unprivileged = await unprivilegedAccount()
  await makeDataDir(dataDir, unprivileged)
  const locked = <T>(work: () => Promise<T>) => withLock(join(dataDir, 'postgres.lock'), work)

  const { cluster, created, ...first } = await locked(async () => {
    const cluster = await openCluster(dataDir, unprivileged, log)
    const created = await ensureCluster(cluster, onWaiting)
    return { cluster, created, ...(await ensureDatabase(cluster)) }
  })
  reportPlace(cluster)

  let { postmaster } = first
  const { port } = postmaster
  const leave = (session: Session | undefined) => {
    const work = () => stopUnlessShared(cluster, postmaster, session)
    // Without the directory, no other process can join, and there is no file to lock.
    return existsSync(dataDir) ? locked(work) : work()
  }
  const restart = async (signal: AbortSignal) => {
    const again = await locked(() => ensureRunning(cluster, port, signal))
    postmaster = again.postmaster
    return await holdOr(endSession, again.session, dataDir)
  }
  const session = exclusive ? await holdOr(leave, first.session, dataDir) : first.session
  const supervision = exclusive ? supervise({ session, restart, logFile: cluster.logFile, log }) : undefined

  return {
    url: `postgres://${owner}:${cluster.record.password}@127.0.0.1:${port}/${database}`,
    created,
    place: cluster.place,
    async [Symbol.asyncDispose]() {
      await leave(supervision === undefined ? session : await supervision.stop())
    },
  }
}

/** Runs initdb unless the cluster exists. Returns whether it did. */
async function ensureCluster(cluster: Cluster, onWaiting: () => void): Promise<boolean> {
  const { place, record, account, exists, log } = cluster
  if (exists) onWaiting()
  else {
    const binaries = await runnableBinaries(account, log)
    await makeCluster({ place, password: record.password, binaries, account, onWaiting })
  }
  if (!record.made) await updateRecord(cluster, { made: true })
  return !exists
}

async function ensureDatabase(cluster: Cluster): Promise<Running> {
  const running = await ensureRunning(cluster)
  const { client } = running.session
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database} owner ${owner}`)
    return running
  } catch (cause) {
    await stopUnlessShared(cluster, running.postmaster, running.session)
    throw new EmbeddedPostgresError(`The database ${database} could not be created: ${String(cause)}.`, {
      cause,
    })
  }
}

/** Takes the exclusive lock. If another process holds it, leaves the session and throws. */
async function holdOr(
  leave: (session: Session) => Promise<void>,
  session: Session,
  dataDir: string,
): Promise<Session> {
  try {
    await lockExclusively(session, dataDir)
    return session
  } catch (error) {
    await leave(session)
    throw error
  }
}

/**
 * Ends the session and stops PostgreSQL, unless Gable has other open connections. The caller must hold the lock, so
 * that no process can join in between.
 */
export async function stopUnlessShared(
  cluster: Cluster,
  last: Postmaster,
  session: Session | undefined,
): Promise<void> {
  const others = await countOthersAndEnd(session)
    .catch(async () => countOthersAndEnd(await connect(cluster, last.port)))
    .catch(() => 0)
  if (others > 0) return cluster.log(`PostgreSQL keeps running for other connections of Gable (${others}).`)
  // The pid file is missing if the data was deleted while PostgreSQL ran.
  const postmaster = (await findPostmaster(cluster)) ?? (isPostmaster(cluster, last.pid) ? last : undefined)
  if (postmaster !== undefined) await stopPostmaster(cluster, postmaster)
}

/** Counts Gable's other connections and ends the session. */
async function countOthersAndEnd(session: Session | undefined): Promise<number> {
  if (session === undefined) throw new Error('There is no connection.')
  try {
    session.client.ref()
    return await countOthers(session)
  } finally {
    await endSession(session)
  }
}
