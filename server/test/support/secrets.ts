import { createLog } from '#kernel/log.ts'
import { type RuntimeOptions, openRuntime } from '../../src/runtime.ts'
import { type TestApp, appSecret } from './app.ts'

/** Runs `work` with a runtime on the same database that has other application secrets, newest first. */
export async function withSecrets(
  { databaseUrl, clock }: TestApp,
  appSecrets: string[],
  work: (runtime: ReturnType<typeof openRuntime>) => Promise<void>,
): Promise<void> {
  const egress: RuntimeOptions['egress'] = { allowHttp: 'none', allowPrivate: 'none' }
  const options = { databaseUrl, appSecrets, clock, log: createLog('silent'), checkRows: true, egress }
  const runtime = openRuntime(options)
  await using _database = runtime.database
  await using _egress = runtime.egress
  await work(runtime)
}

/** The application secret that tests rotate, and its replacement. */
export const older = appSecret
export const newer = 'another secret that only the tests know'
