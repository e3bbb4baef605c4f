import { startEmbeddedPostgres } from '@gable/postgres/start.ts'
import { CommanderError } from 'commander'
import { type CommandRuntime, operator } from '#kernel/cli/cli.ts'
import { systemClock } from '#kernel/clock.ts'
import { type Runtime, createContext } from '#kernel/context.ts'
import type { Database } from '#kernel/db/database.ts'
import type { DirectoryDb } from '#kernel/db/handles.ts'
import { NotFound } from '#kernel/errors.ts'
import { createLog } from '#kernel/log.ts'
import { migrate } from '#kernel/migrate.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import { appSecretsOf } from '../app-secrets.ts'
import { type Config, carrierAbove, readConfig } from '../config.ts'
import { allScopes } from '../modules/access/public.ts'
import type { ModuleDependencies } from '../modules/index.ts'
import { requireSecret } from '../modules/installation/public.ts'
import { findWorkspace, listWorkspaces } from '../modules/workspaces/public.ts'
import { reachDatabase, requireMigrated } from '../reach-database.ts'
import { openRuntime } from '../runtime.ts'

interface Opening {
  /** Apply pending migrations first. */
  migrates?: boolean
  /** Connections to use instead of opening some. They lead to a database that has been checked. */
  database?: Database
}

/** Opens the database for one command, with or without a running server. */
export async function openForCommand({ migrates = false, database }: Opening = {}): Promise<CommandRuntime> {
  await using opened = new AsyncDisposableStack()
  const config = readConfig()
  const { url } = opened.use(await (migrates ? reachDatabaseServer : databaseServer)(config))
  if (migrates) await migrate(url)
  else if (database === undefined) await requireMigrated(url)
  // Errors reach the caller as exceptions. Standard error is reserved for the caller.
  const runtime = openRuntime({
    databaseUrl: url,
    database,
    appSecrets: await appSecretsOf(config),
    egress: config.egress,
    clock: systemClock,
    log: createLog('silent'),
    checkRows: false,
    simulatesProviders: config.simulatedCarrier !== undefined,
    origin: () => addressOf(config),
  })
  opened.use(runtime.database)
  opened.use(runtime.egress)
  await requireSecret(runtime.database.directory, runtime.keys)
  const all = opened.move()
  return {
    runtime,
    async workspace(id) {
      const workspaceId = id ?? (await theOnlyWorkspace(runtime.database.directory))
      if (id !== undefined && (await findWorkspace(runtime.database.directory, id)) === undefined)
        throw NotFound(`There is no workspace ${id}.`)
      return createContext(runtime, { workspaceId, actor: operator, scopes: new Set(allScopes) })
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

async function theOnlyWorkspace(directory: DirectoryDb): Promise<string> {
  const [only, ...others] = await listWorkspaces(directory)
  if (only === undefined)
    throw new OperatorError('There is no workspace yet. Create one with: gable workspaces create --name NAME')
  if (others.length === 0) return only.id
  throw new CommanderError(2, 'gable.workspace', 'There are several workspaces: name one with --workspace')
}

/** The server's URL, as configured. */
const addressOf = ({ publicUrl, host, port }: Config): string =>
  publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`

/**
 * Opens what the server provides to endpoints, such as the clients of providers. Loads them only now, because most
 * commands do not need them.
 */
export async function openProvidedForCommand(
  runtime: Runtime,
): Promise<ModuleDependencies & AsyncDisposable> {
  const { openProvided } = await import('../app.ts')
  const config = readConfig()
  const { simulatedCarrier, port } = config
  const simulatedCarrierUrl =
    simulatedCarrier === 'own' ? `http://127.0.0.1:${port + carrierAbove}` : simulatedCarrier
  return openProvided(runtime, { ...config, simulatedCarrierUrl })
}

/** Applies pending migrations. Returns their names. */
export async function migrateForCommand(): Promise<string[]> {
  await using server = await reachDatabaseServer(readConfig())
  return await migrate(server.url)
}

type DatabaseServer = AsyncDisposable & { url: string }

/** The database of a command: that of DATABASE_URL, or the embedded one, which it starts if no server runs. */
export const databaseServer = async ({ databaseUrl, dataDir }: Config): Promise<DatabaseServer> =>
  databaseUrl === undefined
    ? startEmbeddedPostgres({ dataDir, exclusive: false })
    : { url: databaseUrl, [Symbol.asyncDispose]: async () => undefined }

/** As `databaseServer`. Throws `OperatorError` if the database cannot be reached. */
export async function reachDatabaseServer(config: Config): Promise<DatabaseServer> {
  const server = await databaseServer(config)
  if (config.databaseUrl !== undefined) await (await reachDatabase(server.url)).end()
  return server
}
