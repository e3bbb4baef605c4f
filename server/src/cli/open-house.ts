import { systemClock } from '#kernel/clock.ts'
import { type Ctx, type House, createContext } from '#kernel/context.ts'
import { startEmbeddedPostgres } from '#kernel/db/embedded/cluster.ts'
import { NotFound } from '#kernel/errors.ts'
import { createLog } from '#kernel/log.ts'
import { migrate } from '#kernel/migrate.ts'
import { appSecretsOf } from '../app-secrets.ts'
import { openHouse } from '../app.ts'
import { type Config, readConfig } from '../config.ts'
import { allScopes } from '../modules/access/public.ts'
import { findWorkspace } from '../modules/workspaces/public.ts'
import { reachDatabase, requireMigrated } from '../reach-database.ts'

export interface CommandHouse extends AsyncDisposable {
  house: House
  /** Where the server is reached, as far as the configuration says. */
  origin: string
  /** What a change in this workspace needs; the workspace must exist. */
  workspace(id: string): Promise<Ctx>
}

/** Opens the database for one command, beside a running server or without one. `migrates`: brings the schema up to date first. */
export async function openForCommand({
  migrates = false,
}: { migrates?: boolean } = {}): Promise<CommandHouse> {
  await using opened = new AsyncDisposableStack()
  const config = readConfig()
  const url = opened.use(await openDatabaseServer(config)).url
  if (migrates) await migrate(url)
  else await requireMigrated(url)
  // What goes wrong reaches the caller as an error; standard error stays free for it.
  const house = openHouse({
    databaseUrl: url,
    appSecrets: await appSecretsOf(config),
    egress: config.egress,
    clock: systemClock,
    log: createLog('silent'),
    checkRows: false,
  })
  opened.use(house.database)
  opened.use(house.egress)
  const all = opened.move()
  return {
    house,
    origin:
      config.publicUrl ??
      `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port}`,
    async workspace(id) {
      if ((await findWorkspace(house.database.directory, id)) === undefined)
        throw NotFound(`There is no workspace ${id}.`)
      const actor = { type: 'operator', id: null, name: 'gable' }
      return createContext(house, { workspaceId: id, actor, scopes: new Set(allScopes) })
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Brings the schema up to date; answers the names of what it applied. */
export async function migrateForCommand(): Promise<string[]> {
  await using server = await openDatabaseServer(readConfig())
  return await migrate(server.url)
}

async function openDatabaseServer({
  databaseUrl,
  dataDir,
}: Config): Promise<AsyncDisposable & { url: string }> {
  if (databaseUrl === undefined) return startEmbeddedPostgres({ dataDir, exclusive: false })
  await (await reachDatabase(databaseUrl)).end()
  return { url: databaseUrl, [Symbol.asyncDispose]: async () => undefined }
}
