import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@gable/postgres/start.ts'
import { type SimulatedCarrier, startCarrier } from '@gable/sandbox/start.ts'
import { progressDisplay } from '#kernel/cli/progress-display.ts'
import { systemClock } from '#kernel/clock.ts'
import { type Log, createLog } from '#kernel/log.ts'
import { migrate } from '#kernel/migrate.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { keyRing } from '#kernel/secrets.ts'
import { apiBase } from './api.ts'
import { appSecretsOf } from './app-secrets.ts'
import { type App, startApp } from './app.ts'
import { type Config, carrierAbove } from './config.ts'
import { firstScreen, readyLine } from './first-screen.ts'
import { mailNotice } from './mail-notice.ts'
import { restoreSimulatedDocuments } from './modules/documents/public.ts'
import { connectSimulatedSenders } from './modules/messages/public.ts'
import { listWorkspaces } from './modules/workspaces/public.ts'
import { nextSignal } from './next-signal.ts'
import { reachDatabase, requireMigrated } from './reach-database.ts'
import { newcomer } from './seed/newcomer.ts'
import { type SeededWorkspace, seedDemo } from './seed/seed-demo.ts'

/** How long a shutdown waits for work in progress. */
const stopMs = 25_000

/**
 * Starts Gable and prints its addresses. Returns when a signal ends it. Without DATABASE_URL, it starts embedded
 * PostgreSQL and, the first time, adds demo data. Only the role `all` migrates the schema. With many instances, run
 * `gable migrate`.
 */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const stopping = new AbortController()
  const stopped = stopWhenAsked(log, stopping)
  await using opened = new AsyncDisposableStack()
  const { databaseUrl, embedded } = await openDatabaseServer(config, opened, (line) => log.info(line))
  const appSecrets = await appSecretsOf(config)
  if (config.role === 'all') {
    const applied = await migrate(databaseUrl)
    if (applied.length > 0) log.info({ applied }, 'schema migrated')
  } else if (config.role === 'worker') {
    // An api process can wait, and /readyz reports what is missing. A worker cannot work on a queue that does not
    // exist.
    await requireMigrated(databaseUrl)
  }
  const sends = config.role !== 'api'
  const carrier =
    sends && config.simulatedCarrier === 'own'
      ? opened.use(await startOwnCarrier(config, appSecrets))
      : undefined
  const simulatedCarrierUrl = config.simulatedCarrier === 'own' ? carrier?.origin : config.simulatedCarrier
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
  const seeded = embedded === undefined ? [] : await seedOnce(config, app, stopping.signal)
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
  const known = config.role === 'all' ? await listWorkspaces(app.runtime.database.directory) : []
  const origin = config.publicUrl ?? app.address
  const place = {
    base_url: origin === undefined ? null : origin + apiBase,
    auth_url: origin === undefined ? null : `${origin}/oauth`,
    docs_url: origin === undefined ? null : `${origin}/docs`,
    sign_in_url: origin === undefined ? null : `${origin}/sign-in`,
    mail_url: app.catcherUrl ?? null,
    phone_url: carrier?.phoneUrl ?? null,
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

async function stopWhenAsked(log: Log, stopping: AbortController): Promise<void> {
  const signal = await nextSignal()
  log.info({ signal }, 'stopping')
  // Cut off whatever is still running then: a shutdown must end.
  setTimeout(() => process.exit(1), stopMs).unref()
  stopping.abort()
}

async function openDatabaseServer(config: Config, opened: AsyncDisposableStack, say: (line: string) => void) {
  if (config.role !== 'worker') await requireFreePort(config.host, config.port)
  if (config.databaseUrl !== undefined) {
    await (await reachDatabase(config.databaseUrl)).end()
    return { databaseUrl: config.databaseUrl, embedded: undefined }
  }
  const embedded: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    exclusive: true,
    log: say,
  })
  opened.use(embedded)
  return { databaseUrl: embedded.url, embedded }
}

/**
 * Starts the simulated carrier. Its pages have the same URL after every start, unless another program has taken their
 * port.
 */
async function startOwnCarrier({ port }: Config, appSecrets: readonly string[]): Promise<SimulatedCarrier> {
  const phoneSecret = keyRing(appSecrets).sign('handsets', '').toString('base64url')
  const start = (at: number) =>
    startCarrier({ host: '127.0.0.1', port: at, now: systemClock.now, phoneSecret })
  return port === 0 || port + carrierAbove > 65_535
    ? start(0)
    : start(port + carrierAbove).catch(() => start(0))
}

/**
 * Checks the port before anything is started: the API key of a first start is shown only once and must not be lost
 * because of a taken port.
 */
function requireFreePort(host: string, port: number): Promise<void> {
  if (port === 0) return Promise.resolve()
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const probe = createServer()
    .once('error', ({ code }: NodeJS.ErrnoException) =>
      reject(
        new OperatorError(
          code === 'EADDRINUSE'
            ? `Port ${port} is taken. Choose another: PORT=8081 npm start`
            : `Cannot listen on ${host}:${port} (${code}).`,
        ),
      ),
    )
    .listen(port, host, () => probe.close(() => resolve()))
  return promise
}

/**
 * Adds demo data at the first start. Undefined if that was interrupted. The marker file is written last, so that an
 * interrupted first start seeds again.
 */
async function seedOnce(
  { dataDir }: Config,
  { runtime }: App,
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
  const onProgress = process.stderr.isTTY ? progress.show : () => undefined
  const seeded = await seedDemo(runtime, { onProgress, signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined
    throw error
  })
  if (seeded === undefined) return undefined
  await mkdir(dataDir, { recursive: true })
  await writeFile(mark, `${runtime.clock.now().toISOString()}\n`)
  return seeded.workspaces
}
