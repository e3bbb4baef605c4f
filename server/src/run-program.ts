import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmbeddedPostgres } from '@gable/postgres/start.ts'
import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { systemClock } from '#kernel/clock.ts'
import { openDatabase } from '#kernel/db/database.ts'
import type { Log } from '#kernel/log.ts'
import { migrate } from '#kernel/migrate.ts'
import { keyRing } from '#kernel/secrets.ts'
import { apiBase } from './api.ts'
import { appSecretsOf } from './app-secrets.ts'
import { type App, startApp } from './app.ts'
import { type Config, carrierAbove } from './config.ts'
import { firstScreen, readyLine } from './first-screen.ts'
import { mailNotice } from './mail-notice.ts'
import { restoreSimulatedDocuments } from './modules/documents/public.ts'
import { findHold, requireSecret } from './modules/installation/public.ts'
import { connectSimulatedSenders } from './modules/messages/public.ts'
import { listWorkspaces } from './modules/workspaces/public.ts'
import { requireMigrated } from './reach-database.ts'
import { newcomer } from './seed/newcomer.ts'
import type { SeedProgress, SeededWorkspace } from './seed/seed-demo.ts'

interface Surroundings {
  databaseUrl: string
  /** The embedded PostgreSQL, if it runs. */
  embedded: EmbeddedPostgres | undefined
  log: Log
  /** Aborted by a signal. */
  stopping: AbortSignal
  /** Resolves after a signal. */
  stopped: Promise<void>
}

/**
 * Starts Gable on a database and prints its addresses. Returns when a signal ends it. On embedded PostgreSQL, it adds
 * demo data the first time. Only the role `all` migrates the schema. With many instances, run
 * `gable migrate`.
 */
export async function runProgram(
  config: Config,
  { databaseUrl, embedded, log, stopping, stopped }: Surroundings,
): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const appSecrets = await appSecretsOf(config)
  let isCurrent = true
  if (config.role === 'all') {
    const applied = await migrate(databaseUrl)
    if (applied.length > 0) log.info({ applied }, 'schema migrated')
  } else {
    // An api process can wait for a migration, and /readyz reports what is missing. A worker cannot work on a queue that
    // does not exist.
    isCurrent = await requireMigrated(databaseUrl, { ahead: config.role === 'api' })
  }
  const sends = config.role !== 'api'
  // Without a simulated carrier in the configuration, only workspaces in test mode use one.
  const ofAll = config.simulatedCarrier === 'own'
  const carrier =
    sends && (ofAll || config.simulatedCarrier === undefined)
      ? opened.use(await startOwnCarrier(ofAll ? config.port : 0, appSecrets))
      : undefined
  const simulatedCarrierUrl = carrier?.origin ?? (ofAll ? undefined : config.simulatedCarrier)
  if (isCurrent) {
    await using database = openDatabase({ url: databaseUrl, log, checked: false })
    await requireSecret(database.directory, keyRing(appSecrets))
  }
  const app: App = opened.use(
    await startApp({
      ...config,
      appSecrets,
      databaseUrl,
      clock: systemClock,
      log,
      checkRows: false,
      simulatesProviders: config.simulatedCarrier !== undefined,
      simulatedCarrierUrl,
      // If standard error is not a terminal, it is for logs, and no log may contain a working link.
      onCaught: process.stderr.isTTY ? (mail) => process.stderr.write(mailNotice(mail)) : undefined,
    }),
  )
  const seeded = embedded === undefined ? [] : await seedOnce(config, app, log, stopping)
  if (seeded === undefined) return
  if (sends && simulatedCarrierUrl !== undefined) {
    const connecting = connectSimulatedSenders(app.runtime, app.carriers).then(
      () => seeded.length > 0 && carrier?.write(newcomer.text),
      (error: unknown) => log.warn({ err: error }, 'simulated senders were not connected'),
    )
    const restoring = restoreSimulatedDocuments(app.runtime, app.signing).catch((error: unknown) =>
      log.warn({ err: error }, 'documents were not given back to the simulated provider'),
    )
    opened.defer(async () => void (await Promise.all([connecting, restoring])))
  }
  const held = isCurrent ? await findHold(app.runtime.database.directory) : undefined
  const known = config.role === 'all' ? await listWorkspaces(app.runtime.database.directory) : []
  const origin = config.publicUrl ?? app.address
  const place = {
    base_url: origin === undefined ? null : origin + apiBase,
    auth_url: origin === undefined ? null : `${origin}/oauth`,
    docs_url: origin === undefined ? null : `${origin}/docs`,
    sign_in_url: origin === undefined ? null : `${origin}/sign-in`,
    mail_url: app.catcherUrl ?? null,
    phone_url: (ofAll ? carrier?.phoneUrl : undefined) ?? null,
    ...(held !== undefined && { held_since: held.since }),
    workspaces: known.slice(0, 10).map(({ id, name }) => {
      const made = seeded.find((workspace) => workspace.id === id)
      return { id, name, ...(made === undefined ? {} : { api_key: made.api_key, owner: made.owner }) }
    }),
  }
  const keptAt =
    app.catcherUrl === undefined ? '; see npm run -s gable -- mail list' : ` at ${app.catcherUrl}`
  const mail = config.smtp === undefined ? `kept${keptAt}` : undefined
  const surroundings = { dataPlace: embedded?.place, reach: config.egress.allowPrivate, mail, newcomer }
  process.stdout.write(process.stdout.isTTY ? firstScreen(place, surroundings) : readyLine(place))

  await stopped
}

/**
 * Starts the simulated carrier. Its pages have the same URL after every start, unless another program has taken their
 * port.
 */
async function startOwnCarrier(port: number, appSecrets: readonly string[]): Promise<SimulatedCarrier> {
  const phoneSecret = keyRing(appSecrets).sign('handsets', '').toString('base64url')
  const start = (at: number) =>
    startCarrier({ host: '127.0.0.1', port: at, now: systemClock.now, phoneSecret })
  return port === 0 || port + carrierAbove > 65_535
    ? start(0)
    : start(port + carrierAbove).catch(() => start(0))
}

/**
 * Adds demo data at the first start. Undefined if that was interrupted. The marker file is written last, so that an
 * interrupted first start seeds again.
 */
async function seedOnce(
  { dataDir }: Config,
  { runtime }: App,
  log: Log,
  signal: AbortSignal,
): Promise<SeededWorkspace[] | undefined> {
  const mark = join(dataDir, 'seeded')
  const done = await readFile(mark).then(
    () => true,
    () => false,
  )
  if (done) return []
  using progress = progressDisplay({ unit: 'contacts' })
  // If standard error is not a terminal, it is for logs.
  const onProgress = process.stderr.isTTY ? progress.show : progressLog(log)
  // Only a first start loads the demo.
  const { seedDemo } = await import('./seed/seed-demo.ts')
  const seeded = await seedDemo(runtime, { onProgress, signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined
    throw error
  })
  if (seeded === undefined) return undefined
  await mkdir(dataDir, { recursive: true })
  await writeFile(mark, `${runtime.clock.now().toISOString()}\n`)
  return seeded.workspaces
}

const progressEveryMs = 2000

/** Logs the progress of the demo data at once, and then every two seconds. */
function progressLog(log: Log): (progress: SeedProgress) => void {
  let loggedAt = -Infinity
  return ({ label, done, total }) => {
    if (performance.now() - loggedAt < progressEveryMs) return
    loggedAt = performance.now()
    log.info({ workspace: label, contacts: done, of: total }, 'demo data is being added')
  }
}
