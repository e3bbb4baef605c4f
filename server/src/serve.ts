import { createServer } from 'node:net'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '@gable/postgres/start.ts'
import { type Log, createLog } from '#kernel/log.ts'
import { nextSignal } from '#kernel/next-signal.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import type { Config } from './config.ts'

/** How long a shutdown waits for work in progress. */
const stopMs = 25_000

/**
 * Starts Gable and returns when a signal ends it. Embedded PostgreSQL gets ready while the program loads, on another
 * core; the database of DATABASE_URL is reached first.
 */
export async function serve(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const stopping = new AbortController()
  const stopped = stopWhenAsked(log, stopping)
  await using opened = new AsyncDisposableStack()
  const { promise: waiting, resolve: onWaiting } = Promise.withResolvers<void>()
  const opening = openDatabaseServer(config, opened, { log: (line) => log.info(line), onWaiting })
  // Loading keeps the process so busy that initdb would start late, and that a connection attempt would time out.
  await Promise.race([waiting, opening])
  // A later failure is reported once the program has loaded.
  opening.catch(() => {})
  const { runProgram } = await import('./run-program.ts')
  await runProgram(config, { ...(await opening), log, stopping: stopping.signal, stopped })
}

async function stopWhenAsked(log: Log, stopping: AbortController): Promise<void> {
  const signal = await nextSignal()
  log.info({ signal }, 'stopping')
  // Cut off whatever is still running then: a shutdown must end.
  setTimeout(() => process.exit(1), stopMs).unref()
  stopping.abort()
}

async function openDatabaseServer(
  config: Config,
  opened: AsyncDisposableStack,
  callbacks: Pick<EmbeddedPostgresOptions, 'log' | 'onWaiting'>,
) {
  if (config.role !== 'worker') await requireFreePort(config.host, config.port)
  if (config.databaseUrl !== undefined) {
    const { reachDatabase } = await import('./reach-database.ts')
    await (await reachDatabase(config.databaseUrl)).end()
    return { databaseUrl: config.databaseUrl, embedded: undefined }
  }
  const embedded: EmbeddedPostgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    exclusive: true,
    ...callbacks,
  })
  opened.use(embedded)
  return { databaseUrl: embedded.url, embedded }
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
