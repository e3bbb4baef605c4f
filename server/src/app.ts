import type { Socket } from 'node:net'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type Runtime, simulatesIn } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import { healthRoutes } from '#kernel/http/health.ts'
import { createHttpServer } from '#kernel/http/server.ts'
import { firstIdAt } from '#kernel/ids.ts'
import { queueDueEverywhere } from '#kernel/jobs/follow-up.ts'
import { startWorker } from '#kernel/jobs/worker.ts'
import { knownMigrations } from '#kernel/migrate.ts'
import type { Provided, Service } from '#kernel/module.ts'
import { caldavCalendars } from './adapters/caldav/caldav-calendars.ts'
import { documensoProvider } from './adapters/documenso/documenso-provider.ts'
import { docusignProvider } from './adapters/docusign/docusign-provider.ts'
import { emailCarrier } from './adapters/email/email-carrier.ts'
import { openaiModel } from './adapters/openai/openai-model.ts'
import { retellCarrier } from './adapters/retell/retell-carrier.ts'
import { type SmtpServer, smtpSender, testSmtp } from './adapters/smtp/smtp-sender.ts'
import { diskStore } from './adapters/storage/disk-store.ts'
import { lastSentFile } from './adapters/storage/last-sent-file.ts'
import type { S3Bucket } from './adapters/storage/s3-client.ts'
import { s3StopJournal } from './adapters/storage/s3-stop-journal.ts'
import { s3Store } from './adapters/storage/s3-store.ts'
import { stopJournal } from './adapters/storage/stop-journal.ts'
import { twilioCarrier } from './adapters/twilio/twilio-carrier.ts'
import { twilioVoice } from './adapters/twilio/twilio-voice.ts'
import { whatsAppCarrier } from './adapters/whatsapp/whatsapp-carrier.ts'
import { apiBase, endpoints, personEndpoints } from './api.ts'
import type { ModelConfig, ServerRole } from './config.ts'
import { docsRoutes } from './docs/routes.ts'
import { openEgress } from './egress-kinds.ts'
import { createAuthenticator } from './modules/access/public.ts'
import type { LanguageModel } from './modules/ai/ports.ts'
import type { CalendarServer } from './modules/calendar/public.ts'
import type { VoiceCarriers } from './modules/calls/ports.ts'
import type { StopJournal } from './modules/compliance/ports.ts'
import { open } from './modules/compliance/public.ts'
import type { SignatureProviders } from './modules/documents/ports.ts'
import type { FileStore } from './modules/files/ports.ts'
import { type ModuleDependencies, modules } from './modules/index.ts'
import {
  type HoldWatch,
  findInstallationIds,
  findRestoredAt,
  recordClock,
  watchHold,
} from './modules/installation/public.ts'
import type { SendMail } from './modules/mail/ports.ts'
import { type CaughtMail, isReachedLocally, catcherPath } from './modules/mail/public.ts'
import type { Carriers, LastSent } from './modules/messages/ports.ts'
import { findMessageOfAttempt } from './modules/messages/public.ts'
import { openRequestLog } from './modules/requests/public.ts'
import { everyWorkspace, findWorkspace } from './modules/workspaces/public.ts'
import { type RuntimeOptions, openRuntime } from './runtime.ts'

export interface AppOptions extends Omit<RuntimeOptions, 'origin'> {
  role: ServerRole
  host: string
  port: number
  metrics: { host: string; port: number } | undefined
  /** Whether requests to the API are logged. True by default. */
  logsRequests?: boolean
  trustProxy: number
  anonymousRateLimit: number
  /** The server's public URL. Undefined if it follows from host and port. */
  publicUrl?: string | undefined
  /** Files are stored in its folder `files`, unless they are in a bucket. */
  dataDir: string
  s3?: S3Bucket | undefined
  /** Where the journal of opt-outs and erasures is. By default in the bucket, or in the folder `backups` of the data directory. */
  backupDir?: string | undefined
  /** The mail server. Without one, mails are caught. */
  smtp?: SmtpServer | undefined
  /** The origin of the simulated carrier, for accounts on it. */
  simulatedCarrierUrl?: string | undefined
  /** The language model. By default, the scripted model of the simulated carrier. */
  model?: ModelConfig | undefined
  /** Called for every caught mail, with its content. The content may be shown to a person but must not be logged. */
  onCaught?: ((mail: CaughtMail) => void) | undefined
}

export interface App extends AsyncDisposable {
  runtime: Runtime
  /** http://host:port, without a trailing slash. Undefined if the role does not serve HTTP. */
  address: string | undefined
  /** The URL of the mail catcher. Undefined if mails are sent, or if other machines could reach the catcher. */
  catcherUrl: string | undefined
  carriers: Carriers
  files: FileStore
  signing: SignatureProviders
  voice: VoiceCarriers
  model: LanguageModel | undefined
}

/** Sends mails. Undefined if no mail server is configured. */
export const mailSender = (smtp: SmtpServer | undefined): SendMail | undefined => smtp && smtpSender(smtp)

/** Signs in to the mail server and sends nothing. Returns why that fails, or undefined. */
export const testMailServer = (smtp: SmtpServer): Promise<string | undefined> => testSmtp(smtp)

/** What the clients of providers need. `egress`: as configured. */
type ProviderOptions = Pick<AppOptions, 'egress' | 'clock' | 'simulatedCarrierUrl'> & {
  origin: () => string
  /** Where the simulated carrier is in effect, its origin, for an account. */
  simulatedUrl: (account: { workspaceId: string }) => string
}

/** Opens the providers that carry messages and calls. Disposing of the result closes its connections. */
function openCarriers({
  egress: configured,
  clock,
  origin,
  simulatedCarrierUrl = '',
  simulatedUrl,
}: ProviderOptions) {
  const opened = new AsyncDisposableStack()
  const egress = opened.use(openEgress('carriers', configured, simulatedCarrierUrl))
  const mediaEgress = opened.use(openEgress('media', configured, simulatedCarrierUrl))
  const options = { egress, mediaEgress, open, clock, origin, simulatedUrl }
  const mail = opened.use(openEgress('mail', configured, simulatedCarrierUrl))
  const carriers: Carriers = {
    twilio: twilioCarrier(options),
    whatsapp: whatsAppCarrier(options),
    email: emailCarrier({ ...options, egress: mail }),
  }
  const voice: VoiceCarriers = { retell: retellCarrier(options), twilio: twilioVoice(options) }
  return { carriers, voice, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function openSigning({
  egress: configured,
  clock,
  origin,
  simulatedCarrierUrl = '',
  simulatedUrl,
}: ProviderOptions) {
  const egress = openEgress('signing', configured, simulatedCarrierUrl)
  const signing: SignatureProviders = {
    documenso: documensoProvider({ egress, clock, origin, simulatedUrl }),
    docusign: docusignProvider({ egress, clock, publicOrigin: origin }),
  }
  return { signing, [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose]() }
}

/** Opens people's CalDAV calendars, wherever they are. */
export const openCalendars = ({ egress }: Pick<Runtime, 'egress'>): CalendarServer => caldavCalendars(egress)

/** Opens the language model, if there is one. */
export function openModel({
  egress: configured,
  simulatedCarrierUrl,
  model,
}: Pick<AppOptions, 'egress' | 'simulatedCarrierUrl' | 'model'>) {
  const egress = openEgress('model', configured)
  const scripted = simulatedCarrierUrl && {
    url: `${simulatedCarrierUrl}/model/v1`,
    key: undefined,
    name: 'scripted',
    price: { input: 0, output: 0 },
    reasoning: 'none' as const,
  }
  const used = model ?? (scripted === '' ? undefined : scripted)
  return {
    model: used && openaiModel(used, egress),
    [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose](),
  }
}

type FileOptions = Pick<AppOptions, 'egress' | 'clock' | 'log' | 'dataDir' | 's3' | 'backupDir'>

/**
 * Opens where files are, and the journal of what a restore must not forget. `installationIds`: whose journals; known once the
 * database is. Disposing of the result closes its connections.
 */
export function openFiles(
  { egress: configured, clock, log, dataDir, s3, backupDir }: FileOptions,
  installationIds: () => Promise<readonly [string, ...string[]]>,
) {
  const egress = openEgress('files', configured)
  const files =
    s3 === undefined
      ? diskStore(join(dataDir, 'files'), clock)
      : s3Store(s3, { egress, clock, log, waitingFolder: join(dataDir, 'waiting-files') })
  const stops: StopJournal =
    s3 !== undefined && backupDir === undefined
      ? s3StopJournal(s3, { egress, clock }, installationIds)
      : stopJournal(backupDir ?? join(dataDir, 'backups'), installationIds)
  return { files, stops, [Symbol.asyncDispose]: () => egress[Symbol.asyncDispose]() }
}

type ProvidedOptions = Omit<AppOptions, keyof RuntimeOptions | 'port' | 'metrics'> &
  Pick<AppOptions, 'egress'>

/** Opens what the modules ask the server for. Disposing of the result closes its connections. */
export function openProvided(
  runtime: Runtime,
  options: ProvidedOptions,
): ModuleDependencies & AsyncDisposable {
  const opened = new AsyncDisposableStack()
  const shared = {
    ...options,
    clock: runtime.clock,
    log: runtime.log,
    origin: () => runtime.origin(),
    simulatedUrl: ({ workspaceId }: { workspaceId: string }) =>
      simulatesIn(runtime, workspaceId) ? (options.simulatedCarrierUrl ?? '') : '',
  }
  const { carriers, voice } = opened.use(openCarriers(shared))
  const { signing } = opened.use(openSigning(shared))
  const { files, stops } = opened.use(
    openFiles(shared, () => findInstallationIds(runtime.database.directory)),
  )
  const { model } = opened.use(
    openModel({
      ...options,
      simulatedCarrierUrl: runtime.simulatesProviders ? options.simulatedCarrierUrl : undefined,
    }),
  )
  return {
    runtime,
    anonymousRateLimit: options.anonymousRateLimit,
    sendMail: mailSender(options.smtp),
    showsCaughtMail: options.role !== 'worker' && options.smtp === undefined && isReachedLocally(options),
    onCaught: options.onCaught,
    carriers,
    files,
    lastSent: lastSentFile(options.dataDir),
    stops,
    calendars: openCalendars(runtime),
    signing,
    voice,
    model,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

/**
 * Connects to everything and starts the app. Disposing of it ends the active parts (requests, jobs, services) and
 * then closes the connections.
 */
export async function startApp(options: AppOptions): Promise<App> {
  await using opened = new AsyncDisposableStack()
  let server: FastifyInstance | undefined
  let address: string | undefined
  const origin = () => options.publicUrl ?? address ?? ''
  const runtime = openRuntime({ ...options, origin })
  opened.use(runtime.database)
  opened.use(runtime.egress)

  opened.use(await runtime.clockWatch.start())
  const provided = opened.use(openProvided(runtime, options))
  await provided.files.check()

  const metrics = options.metrics === undefined ? undefined : await import('#kernel/http/metrics.ts')
  const registry = metrics?.createRegistry()
  if (metrics !== undefined && registry !== undefined && options.metrics !== undefined) {
    metrics.clockMetrics(registry, runtime.clockWatch)
    opened.use(await metrics.serveMetrics(registry, options.metrics.host, options.metrics.port))
  }
  // Written once the server has responded to everything.
  const requestLog = options.logsRequests === false ? undefined : opened.use(openRequestLog(runtime))
  // Stop all parts at the same time: one that still serves requests must not keep the others accepting work.
  const running: AsyncDisposable[] = []
  opened.defer(async () => {
    await Promise.all(running.splice(0).map((one) => one[Symbol.asyncDispose]()))
  })
  const provide = providing(provided)
  if (options.role !== 'worker') {
    server = createHttpServer({
      ...(requestLog && { onServed: (request) => requestLog.add(request) }),
      runtime,
      authenticator: createAuthenticator(runtime, {
        anonymousLimit: options.anonymousRateLimit,
        credentials: modules.flatMap((module) => module.credentials ?? []),
        sessions: orNotFound(modules.flatMap((module) => module.sessions ?? [])[0]),
      }),
      endpoints: [...endpoints, ...personEndpoints],
      provide: async () => provided,
      routes: [
        ...modules.flatMap(({ routes }) => provide(routes)),
        ...healthRoutes(runtime.log, () => whatIsMissing(runtime)),
        ...docsRoutes(origin),
      ],
      base: apiBase,
      trustProxy: options.trustProxy,
      https: options.publicUrl?.startsWith('https:') ?? false,
      ...(metrics === undefined || registry === undefined
        ? {}
        : { metrics: metrics.requestMetrics(registry) }),
    })
    running.push(closing(server, requestsOn(server)))
    await server.listen({ host: options.host, port: options.port })
    // Keep the address: a closed server has none, and the last requests may need it.
    address = server.listeningOrigin
  }
  // Start these after the server, because jobs may need its address.
  if (options.role !== 'api') {
    const hold = opened.use(await watchHold(runtime, () => isOlder(runtime, provided.lastSent)))
    running.push(await recordClock(runtime))
    running.push(...(await startWorkers(runtime, provided, hold, registry)))
  }

  const all = opened.move()
  return {
    runtime,
    address,
    catcherUrl: provided.showsCaughtMail ? origin() + catcherPath(runtime.keys) : undefined,
    carriers: provided.carriers,
    files: provided.files,
    signing: provided.signing,
    voice: provided.voice,
    model: provided.model,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Gets a part of a module, which may depend on what the server provides. */
const providing =
  (provided: ModuleDependencies) =>
  <T>(part: Provided<readonly T[], ModuleDependencies> = []) =>
    typeof part === 'function' ? part(provided) : part

/** Starts everything that works in the background. Nothing that sends begins while `hold` holds it. */
export async function startWorkers(
  runtime: Runtime,
  provided: ModuleDependencies,
  hold: Pick<HoldWatch, 'isHeld'>,
  registry?: Parameters<Service['start']>[1],
): Promise<AsyncDisposable[]> {
  const provide = providing(provided)
  const working = { ...runtime, mayBegin: () => runtime.mayBegin() && !hold.isHeld() }
  const jobs = modules.flatMap((module) => provide(module.jobs))
  const followUps = modules.flatMap((module) => module.followUps ?? [])
  const periodicJobs = [
    ...modules.flatMap((module) => provide(module.periodicJobs)),
    queueDueEverywhere(followUps, everyWorkspace),
  ]
  const started = [await startWorker(working, { jobs, periodicJobs })]
  for (const { start, whileHeld } of modules.flatMap((module) => provide(module.services)))
    started.push(await start(whileHeld === true ? runtime : working, registry))
  return started
}

/**
 * Whether this server has begun an attempt to send that the database does not know: then the database is an older one. A
 * workspace that is unknown is one of another installation that uses the same folder. About attempts before the last restore, a
 * person has decided or will.
 */
async function isOlder({ database }: Runtime, lastSent: LastSent): Promise<boolean> {
  const last = await lastSent.find()
  if (last === undefined || (await findWorkspace(database.directory, last.workspaceId)) === undefined)
    return false
  const restoredAt = await findRestoredAt(database.directory)
  if (restoredAt !== undefined && last.attemptId < firstIdAt(restoredAt.getTime())) return false
  return (await findMessageOfAttempt(database.reads(last.workspaceId), last.attemptId)) === undefined
}

/** The connections, each with the number of its requests whose headers have arrived and that have no response yet. */
function requestsOn({ server }: FastifyInstance): ReadonlyMap<Socket, number> {
  const requests = new Map<Socket, number>()
  const count = (socket: Socket, change: number) => {
    const before = requests.get(socket)
    if (before !== undefined) requests.set(socket, before + change)
  }
  server.on('connection', (socket) => {
    requests.set(socket, 0)
    socket.once('close', () => requests.delete(socket))
  })
  server.on('request', ({ socket }, response) => {
    count(socket, 1)
    response.once('close', () => count(socket, -1))
  })
  return requests
}

/** How long requests in progress may take to finish. No client may delay a shutdown. */
const closeMs = 20_000

const closing = (server: FastifyInstance, requests: ReadonlyMap<Socket, number>): AsyncDisposable => ({
  async [Symbol.asyncDispose]() {
    const cut = setTimeout(() => server.server.closeAllConnections(), closeMs)
    // A connection without a request is closed, also if the headers of one have begun to arrive: they might never end. A
    // request that was in progress when the shutdown began leaves its connection open for the next one.
    const cutIdle = () => {
      for (const [socket, count] of requests) if (count === 0) socket.destroy()
    }
    const idle = setInterval(cutIdle, 50)
    const closed = server.close()
    cutIdle()
    await closed
    clearInterval(idle)
    clearTimeout(cut)
  },
})

const MigrationRow = Type.Object({ name: Type.String() })
const PresentRow = Type.Object({ present: Type.Boolean() })

/** Uses the connections that requests need, so that a broken one is noticed. */
async function whatIsMissing({ database, clockWatch }: Runtime): Promise<string | undefined> {
  const { authenticator } = database
  const [, isWritable] = await Promise.all([database.ping(), database.isWritable()])
  if (!isWritable) return 'the database is read-only'
  const { present } = await authenticator.one(
    PresentRow,
  )`select to_regclass('migrations') is not null as present`
  const rows = present ? await authenticator.many(MigrationRow)`select name from migrations` : []
  const applied = new Set(rows.map(({ name }) => name))
  const pending = (await knownMigrations()).filter((name) => !applied.has(name))
  if (pending.length > 0) return `the database lacks ${pending.join(', ')}`
  const seconds = Math.round(clockWatch.aheadMs() / 1000)
  const direction = seconds > 0 ? 'ahead of' : 'behind'
  return clockWatch.isRight()
    ? undefined
    : `the clock of this machine is ${Math.abs(seconds)} s ${direction} PostgreSQL's`
}
