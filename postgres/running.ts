import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { runnableBinaries } from './binaries.ts'
import { type Cluster, updateRecord } from './cluster.ts'
import { EmbeddedPostgresError } from './error.ts'
import { type Postmaster, findPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts'
import { reasonIn } from './server-log.ts'
import { type Session, connectWhenReady } from './session.ts'

export interface Running {
  postmaster: Postmaster
  session: Session
}

const attempts = 20

/**
 * Connects to the running PostgreSQL, which a killed Gable may have left behind, or starts one. Stops a running
 * PostgreSQL first if it cannot be used. Listens on `port` if it is given. The caller must hold the lock.
 */
export async function ensureRunning(cluster: Cluster, port?: number, signal?: AbortSignal): Promise<Running> {
  const found = await findPostmaster(cluster)
  if (found !== undefined) {
    const session =
      port === undefined || port === found.port ? await connectWhenReady(cluster, found, signal) : 'rejected'
    if (typeof session === 'object') {
      cluster.log(`PostgreSQL is running already (pid ${found.pid}, port ${found.port}).`)
      return { postmaster: found, session }
    }
    if (session !== 'gone')
      cluster.log(`The running PostgreSQL (pid ${found.pid}) cannot be used (${session}) and is stopped.`)
    await stopPostmaster(cluster, found, session === 'unresponsive' ? 'hung' : 'healthy')
    // Look again. This also removes the pid file of a process that is now a zombie.
    if ((await findPostmaster(cluster)) !== undefined)
      throw new EmbeddedPostgresError(`PostgreSQL (pid ${found.pid}) cannot be stopped.`)
  }
  return await start(cluster, port, signal)
}

async function start(
  cluster: Cluster,
  fixedPort: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Running> {
  const binaries = await runnableBinaries(cluster.account, cluster.log)
  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await choosePort(cluster.record.port))
    if (port !== cluster.record.port) await updateRecord(cluster, { port })
    const postmaster = await startPostmaster(cluster, binaries, port)
    const session = await connectWhenReady(cluster, postmaster, signal)
    if (typeof session === 'object') {
      cluster.log(`PostgreSQL started (pid ${postmaster.pid}, port ${port}).`)
      return { postmaster, session }
    }
    await stopPostmaster(cluster, postmaster)
    const complaint = await postmaster.complaint()
    const isTemporary = /Address already in use|pre-existing shared memory block/.test(complaint)
    if (!isTemporary || attempt === attempts)
      throw new EmbeddedPostgresError(startFailure(cluster, session, complaint))
    // Another program took the port in the meantime, or child processes of the previous PostgreSQL are still exiting.
    await delay(200)
  }
}

function startFailure({ dataDir, logFile }: Cluster, why: string, complaint: string): string {
  if (why === 'rejected')
    return `The database in ${dataDir} rejects the password in postgres.json: restore that file.`
  return `PostgreSQL did not start: ${reasonIn(complaint) || 'it did not respond'} (see ${logFile}).`
}

/** Returns the previous port if it is free, so that the address stays the same. Otherwise returns another free port. */
async function choosePort(before: number): Promise<number> {
  if (before !== 0 && (await isFree(before))) return before
  for (let attempt = 0; attempt < 100; attempt++) {
    // Stay below the ephemeral port range: there, a client that retries while PostgreSQL is down may be assigned the
    // very port to which it connects, connect to itself, and keep PostgreSQL from starting.
    const port = randomInt(15_000, 30_000)
    if (await isFree(port)) return port
  }
  throw new EmbeddedPostgresError('No free port on 127.0.0.1 was found for PostgreSQL.')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.on('error', () => resolve(false))
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)))
  })
}
