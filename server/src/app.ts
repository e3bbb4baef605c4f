import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Clock } from '#kernel/clock.ts'
import type { House } from '#kernel/context.ts'
import { type Database, openDatabase } from '#kernel/db/database.ts'
import { sql } from '#kernel/db/sql.ts'
import { type EgressOptions, createEgress } from '#kernel/egress/egress.ts'
import { subscriptionsOf } from '#kernel/events/subscription.ts'
import { addHealth } from '#kernel/http/health.ts'
import { createRegistry, requestMetrics, serveMetrics } from '#kernel/http/metrics.ts'
import { createHttpServer } from '#kernel/http/server.ts'
import { startWorker } from '#kernel/jobs/worker.ts'
import type { Log } from '#kernel/log.ts'
import { knownMigrations } from '#kernel/migrate.ts'
import { keyRing } from '#kernel/secrets.ts'
import { type SmtpServer, smtpSender } from './adapters/smtp/smtp-sender.ts'
import { apiBase, endpoints } from './api.ts'
import type { Role } from './config.ts'
import { addDocs } from './docs.ts'
import { createDoor } from './modules/access/public.ts'
import { modules } from './modules/index.ts'
import type { SendMail } from './modules/mail/ports.ts'
import { type TrappedMail, isAtHome, mailJobs, mailRoutes, trapPath } from './modules/mail/public.ts'
import { accessTokens, oauthRoutes } from './modules/oauth/public.ts'
import { assetRoutes, nothingUnder } from './modules/pages/public.ts'
import { settingsRoutes } from './modules/settings/public.ts'
import { signinRoutes } from './modules/signin/public.ts'

export interface HouseOptions {
  databaseUrl: string
  appSecrets: readonly string[]
  clock: Clock
  log: Log
  /** Hold every row that is read against its schema. */
  checkRows: boolean
  /** To which addresses of customers' choice requests may go. */
  egress: EgressOptions
}

export interface AppOptions extends HouseOptions {
  role: Role
  host: string
  port: number
  metricsPort: number | undefined
  trustProxy: number
  anonymousRateLimit: number
  /** The address that others reach this server under; undefined when it follows from host and port. */
  publicUrl?: string | undefined
  /** Where mails go out; undefined keeps them in the trap. */
  smtp?: SmtpServer | undefined
  /** Told of every mail that goes into the trap, of what it says too: for a person's eyes, and no log's. */
  onTrapped?: ((mail: TrappedMail) => void) | undefined
}

export interface App extends AsyncDisposable {
  house: House
  /** http://host:port, without a trailing slash; undefined where the role serves no HTTP. */
  address: string | undefined
  /** Where the trap shows mails; undefined where they go out, and where others than this machine could look. */
  trapPage: string | undefined
}

/** What use cases need, without a server around it; for the command line and the seed. */
export function openHouse({ databaseUrl, appSecrets, clock, log, checkRows, egress }: HouseOptions): House {
  return {
    database: openDatabase({ url: databaseUrl, log, checked: checkRows }),
    clock,
    log,
    eventTypes: new Map(modules.flatMap((module) => module.events ?? []).map((type) => [type.name, type])),
    subscriptions: subscriptionsOf(modules.flatMap((module) => module.subscriptions ?? [])),
    keys: keyRing(appSecrets),
    egress: createEgress(egress),
  }
}

/** What sends mails; undefined where no mail server is configured. */
export const mailSender = (smtp: SmtpServer | undefined): SendMail | undefined => smtp && smtpSender(smtp)

/** Connects everything and starts it. Disposing ends what works (requests, jobs, services), then the connections. */
export async function startApp(options: AppOptions): Promise<App> {
  await using opened = new AsyncDisposableStack()
  const house = openHouse(options)
  opened.use(house.database)
  opened.use(house.egress)

  const registry = options.metricsPort === undefined ? undefined : createRegistry()
  if (registry !== undefined && options.metricsPort !== undefined) {
    opened.use(await serveMetrics(registry, options.host, options.metricsPort))
  }
  // All at the same time: whoever still answers requests must not keep the others taking on new work.
  const running: AsyncDisposable[] = []
  opened.defer(async () => {
    await Promise.all(running.map((one) => one[Symbol.asyncDispose]()))
  })
  let server: FastifyInstance | undefined
  const origin = () => options.publicUrl ?? server?.listeningOrigin ?? ''
  const showsTrap = options.role !== 'worker' && options.smtp === undefined && isAtHome(options)
  const trapPage = () => (showsTrap ? origin() + trapPath(house.keys) : undefined)
  if (options.role !== 'worker') {
    server = createHttpServer({
      house,
      door: createDoor(house, { anonymousLimit: options.anonymousRateLimit, kinds: [accessTokens] }),
      endpoints,
      routes: [
        ...assetRoutes,
        ...['/settings', '/account', '/sign-in'].map(nothingUnder),
        ...signinRoutes(house, origin),
        ...settingsRoutes(house, { origin, sendsMail: options.smtp !== undefined }),
        ...oauthRoutes(house, {
          origin,
          failureLimit: options.anonymousRateLimit,
        }),
        ...(showsTrap ? mailRoutes(house, { origin }) : []),
      ],
      base: apiBase,
      trustProxy: options.trustProxy,
      ...(registry === undefined ? {} : { metrics: requestMetrics(registry) }),
    })
    addHealth(server, house.log, () => whatIsMissing(house.database))
    await addDocs(server)
    running.push(closing(server))
    await server.listen({ host: options.host, port: options.port })
  }
  // After the server: jobs may ask under which address it can be reached.
  if (options.role !== 'api') {
    const sendMail = mailSender(options.smtp)
    const jobs = [
      ...modules.flatMap((module) => module.jobs ?? []),
      ...mailJobs({ sendMail, origin, trapPage, onTrapped: options.onTrapped }),
    ]
    const periodicJobs = modules.flatMap((module) => module.periodicJobs ?? [])
    running.push(await startWorker(house, { jobs, periodicJobs }))
    for (const start of modules.flatMap((module) => module.services ?? [])) {
      running.push(await start(house, registry))
    }
  }

  const all = opened.move()
  return {
    house,
    address: server?.listeningOrigin,
    trapPage: trapPage(),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** How long requests under way may take to end. Half-sent ones never would, and nobody may hold up a stop. */
const closeMs = 20_000

const closing = (server: FastifyInstance): AsyncDisposable => ({
  async [Symbol.asyncDispose]() {
    const cut = setTimeout(() => server.server.closeAllConnections(), closeMs)
    await server.close()
    clearTimeout(cut)
  },
})

const MigrationRow = Type.Object({ name: Type.String() })
const PresentRow = Type.Object({ present: Type.Boolean() })

/** Asks on the connections that requests need, so that a broken one shows. */
async function whatIsMissing({ door, reads }: Database): Promise<string | undefined> {
  const { present } = await door.one(PresentRow, sql`select to_regclass('migrations') is not null as present`)
  const rows = present ? await reads('').many(MigrationRow, sql`select name from migrations`) : []
  const applied = new Set(rows.map(({ name }) => name))
  const pending = (await knownMigrations()).filter((name) => !applied.has(name))
  return pending.length === 0 ? undefined : `the database lacks ${pending.join(', ')}`
}
