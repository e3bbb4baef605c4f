import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { unprivilegedAccount } from './account.ts'
import { runnableBinaries } from './binaries.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { stopUnlessUsed } from './leave.ts'
import { withLock } from './lock.ts'
import { makeCluster, owner } from './make-cluster.ts'
import { makeDataDir } from './place.ts'
import { type Running, ensureRunning } from './running.ts'
import { type Session, endSession, holdExclusively } from './session.ts'
import { type Site, openSite, remember, reportPlace } from './site.ts'
import { supervise } from './supervise.ts'

export { EmbeddedPostgresError }

export interface EmbeddedPostgresOptions {
  /** Absolute. Made if it does not exist. */
  dataDir: string
  /** True for the server, one at a time; it also restarts PostgreSQL when that dies. False to join or to borrow it. */
  exclusive: boolean
  log?: (line: string) => void
}

export interface EmbeddedPostgres extends AsyncDisposable {
  /** postgres:// URL of the role that owns the database `gable`. Stays the same while this lives. */
  url: string
  /** True when this call made the cluster: the first run. */
  created: boolean
  /** Where the data lies, absolute; not below dataDir where PostgreSQL's user cannot reach that. */
  place: string
  /** Stops PostgreSQL unless other connections of Gable are open; close your own before. */
  [Symbol.asyncDispose](): Promise<void>
}

const database = 'gable'

/**
 * A real PostgreSQL under the data directory, made at the first run, for as long as the result lives. It outlives a
 * killed process, and the next start finds it. Throws EmbeddedPostgresError with a sentence for the operator.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, exclusive, log = () => {} } = options
  const unprivileged = await unprivilegedAccount()
  await makeDataDir(dataDir, unprivileged)
  const locked = <T>(work: () => Promise<T>) => withLock(join(dataDir, 'postgres.lock'), work)

  const { site, created, ...first } = await locked(async () => {
    const site = await openSite(dataDir, unprivileged, log)
    const created = await ensureCluster(site)
    return { site, created, ...(await ensureDatabase(site)) }
  })
  reportPlace(site)

  let { postmaster } = first
  const { port } = postmaster
  const leave = (session: Session | undefined) => {
    const work = () => stopUnlessUsed(site, postmaster, session)
    // Deleted under us: nobody can join any more.
    return existsSync(dataDir) ? locked(work) : work()
  }
  const restart = async (signal: AbortSignal) => {
    const again = await locked(() => ensureRunning(site, port, signal))
    postmaster = again.postmaster
    return await holdOr(endSession, again.session, dataDir)
  }
  const session = exclusive ? await holdOr(leave, first.session, dataDir) : first.session
  const supervision = exclusive ? supervise({ session, restart, logFile: site.logFile, log }) : undefined

  return {
    url: `postgres://${owner}:${site.record.password}@127.0.0.1:${port}/${database}`,
    created,
    place: site.place,
    async [Symbol.asyncDispose]() {
      await leave(supervision === undefined ? session : await supervision.stop())
    },
  }
}

/** Whether it had to be made. */
async function ensureCluster(site: Site): Promise<boolean> {
  const { place, record, account, exists, log } = site
  if (!exists) await makeCluster(place, record.password, await runnableBinaries(account, log), account)
  if (!record.made) await remember(site, { made: true })
  return !exists
}

async function ensureDatabase(site: Site): Promise<Running> {
  const running = await ensureRunning(site)
  const { client } = running.session
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database} owner ${owner}`)
    return running
  } catch (cause) {
    await stopUnlessUsed(site, running.postmaster, running.session)
    throw new EmbeddedPostgresError(`The database ${database} could not be made: ${String(cause)}.`, {
      cause,
    })
  }
}

/** The session with the lock, or, where another process has that, left with what leaving takes. */
async function holdOr(
  leave: (session: Session) => Promise<void>,
  session: Session,
  dataDir: string,
): Promise<Session> {
  try {
    await holdExclusively(session, dataDir)
    return session
  } catch (error) {
    await leave(session)
    throw error
  }
}
