import { setTimeout as delay } from 'node:timers/promises'
import { runnableBinaries } from './binaries.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { choosePort } from './port.ts'
import { type Postmaster, findPostmaster, startPostmaster, stopPostmaster } from './postmaster.ts'
import { reasonIn } from './server-log.ts'
import { type Session, connectWhenReady } from './session.ts'
import { type Site, remember } from './site.ts'

export interface Running {
  postmaster: Postmaster
  session: Session
}

const attempts = 20

/**
 * A PostgreSQL that answers: the one that runs already, perhaps left by a killed Gable, or a new one. A running one
 * that cannot be used is ended. With a port given, it listens there. The caller holds the lock.
 */
export async function ensureRunning(site: Site, port?: number, signal?: AbortSignal): Promise<Running> {
  const found = await findPostmaster(site)
  if (found !== undefined) {
    const session =
      port === undefined || port === found.port ? await connectWhenReady(site, found, signal) : 'refused'
    if (typeof session === 'object') {
      site.log(`PostgreSQL is running already (pid ${found.pid}, port ${found.port}).`)
      return { postmaster: found, session }
    }
    if (session !== 'gone')
      site.log(`The running PostgreSQL (pid ${found.pid}) cannot be used (${session}) and is ended.`)
    await stopPostmaster(site, found, session === 'silent' ? 'hung' : 'well')
    // Looks once more to clear the pid file of one that left a zombie.
    if ((await findPostmaster(site)) !== undefined)
      throw new EmbeddedPostgresError(`PostgreSQL (pid ${found.pid}) cannot be ended.`)
  }
  return await start(site, port, signal)
}

async function start(
  site: Site,
  fixedPort: number | undefined,
  signal: AbortSignal | undefined,
): Promise<Running> {
  const binaries = await runnableBinaries(site.account, site.log)
  for (let attempt = 1; ; attempt++) {
    const port = fixedPort ?? (await choosePort(site.record.port))
    if (port !== site.record.port) await remember(site, { port })
    const postmaster = await startPostmaster(site, binaries, port)
    const session = await connectWhenReady(site, postmaster, signal)
    if (typeof session === 'object') {
      site.log(`PostgreSQL started (pid ${postmaster.pid}, port ${port}).`)
      return { postmaster, session }
    }
    await stopPostmaster(site, postmaster)
    const complaint = await postmaster.complaint()
    const passes = /Address already in use|pre-existing shared memory block/.test(complaint)
    if (!passes || attempt === attempts) throw new EmbeddedPostgresError(explain(site, session, complaint))
    // Another program took the port in that instant, or children of the one before are still ending.
    await delay(200)
  }
}

function explain({ dataDir, logFile }: Site, why: string, complaint: string): string {
  if (why === 'refused')
    return `The database in ${dataDir} refuses the password in postgres.json: restore that file.`
  return `PostgreSQL did not start: ${reasonIn(complaint) || 'it did not answer'} (see ${logFile}).`
}
