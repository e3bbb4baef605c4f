import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, type RequestListener, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCalls } from './calls.ts'
import { documensoApi } from './documenso/start.ts'
import { startImap } from './email/imap-server.ts'
import { followUp } from './email/inboxes.ts'
import { createMailboxes } from './email/mailboxes.ts'
import { startSmtp } from './email/smtp-server.ts'
import type { TakenMail } from './email/write-mail.ts'
import type { PhoneLines } from './lines.ts'
import { isFromThisMachine, isLoopbackPlace } from './local-request.ts'
import { type SentMedia, createMessageLog } from './message-log.ts'
import { type ScriptLine, standardScript } from './model/script.ts'
import { scriptedModel } from './model/start.ts'
import { phonePages } from './phone/routes.ts'
import { type Served, notFound, readRequest, write } from './served.ts'
import { storedMedia } from './stored-media.ts'
import { twilioApi } from './twilio/start.ts'
import { retellApi } from './voice/retell.ts'
import { createSwitchboard } from './voice/switchboard.ts'
import { whatsAppApi } from './whatsapp/start.ts'

const defect = (error: unknown): Served => ({ status: 500, headers: {}, body: String(error) })

export interface CarrierOptions {
  /** A loopback address: the simulated carrier is only for this machine. */
  host: string
  /** 0 for any free port. */
  port: number
  now: () => Date
  /** The secret in the handsets' URL; by default a new one at each start. */
  phoneSecret?: string
  /** How long sending takes, and then delivery. Defaults to 300 ms each. */
  deliveryMs?: number
  /** How many of the latest messages to keep. Defaults to 10,000. */
  maxMessages?: number
  /** What the scripted model writes. */
  script?: readonly ScriptLine[]
}

export interface SimulatedCarrier extends AsyncDisposable {
  /** http://host:port. The providers' API paths are below it. */
  origin: string
  /** The page of all handsets. Its URL can't be guessed. */
  phoneUrl: string
  /** Writes from a handset to an account's address. Returns false if no account has that address. */
  write(message: { from: string; to: string; body: string; media?: readonly SentMedia[] }): boolean
}

/**
 * Starts the simulated carrier. It implements the protocols of providers and of a language model, has SMTP one port
 * above HTTP and IMAP two ports above, and delivers to handsets, which are web pages. Some numbers and addresses fail
 * on purpose. Everything is in memory. Rejects if the port is taken or the host is not loopback.
 */
export async function startCarrier({
  host,
  port,
  now,
  phoneSecret = randomBytes(24).toString('base64url'),
  deliveryMs = 300,
  maxMessages = 10_000,
  script,
}: CarrierOptions): Promise<SimulatedCarrier> {
  if (!isLoopbackPlace(host))
    throw new Error(`The simulated carrier listens on loopback only, not on ${host}.`)
  const log = createMessageLog(maxMessages)
  const lines: PhoneLines = new Map()
  const calls = startCalls()
  let model: ReturnType<typeof scriptedModel> | undefined
  let origin = ''
  const switchboard = createSwitchboard({ calls, now, deliveryMs })
  const shared = { calls, switchboard, now, deliveryMs, origin: () => origin }
  const twilio = twilioApi({ ...shared, log, lines })
  const retell = retellApi({ ...shared, lines })
  const stored = storedMedia(log)
  const whatsApp = whatsAppApi({ calls, log, origin: () => origin, lines, now, deliveryMs })
  const phone = phonePages({ log, lines, switchboard, secret: phoneSecret })
  const documenso = documensoApi({
    calls,
    log,
    now,
    origin: () => origin,
    styleRoot: `/phone/${phoneSecret}`,
  })

  async function serve(request: IncomingMessage): Promise<Served> {
    if (!isFromThisMachine(request)) return notFound
    const read = await readRequest(request)
    if (read === undefined) return 'reset'
    if (read.path[0] === 'phone') return phone(read)
    if (read.path[0] === 'stored-media') return stored(read)
    if (read.path[0] === 'model') return (model ??= scriptedModel(script ?? (await standardScript())))(read)
    if (read.path[0] === 'sign') return documenso.sign(read)
    if (read.path[0] === 'api') return documenso.api(read)
    if (read.path[0] === '2010-04-01' || read.path[0] === 'v1') return twilio(read)
    if (/^(v2|v3|retell|get-agent|update-agent)$/.test(read.path[0] ?? '')) return retell(read)
    if (/^v\d+\.\d+$/.test(read.path[0] ?? '')) return whatsApp(read)
    return notFound
  }

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    write(response, await serve(request).catch(defect))
  }
  const mailboxes = createMailboxes(now)
  const onTaken = (mail: TakenMail) => followUp({ log, lines, mailboxes, calls, now, deliveryMs }, mail)
  const { server, listening, mail } = await listenTogether(host, port, respond, async (at) => {
    await using opened = new AsyncDisposableStack()
    opened.use(await startSmtp({ log, now, onTaken }, { host, port: at }))
    opened.use(await startImap(mailboxes, { host, port: at + 1 }))
    return opened.move()
  })
  origin = `http://${host.includes(':') ? `[${host}]` : host}:${listening}`
  return {
    origin,
    phoneUrl: `${origin}/phone/${phoneSecret}`,
    write(message) {
      const line = lines.get(message.to)
      line?.receive(message)
      return line !== undefined
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await Promise.all([closed, mail.disposeAsync(), calls[Symbol.asyncDispose]()])
    },
  }
}

/** How many ports to try if any will do: the ports above a free one may be taken. */
const mostTries = 20

/** Listens for HTTP at this port, and for SMTP and IMAP at the next two. */
async function listenTogether<T>(
  host: string,
  port: number,
  respond: RequestListener,
  listenNext: (port: number) => Promise<T>,
) {
  for (let tries = 1; ; tries++) {
    const server = createServer(respond).listen(port, host)
    await once(server, 'listening')
    const { port: listening } = server.address() as AddressInfo
    try {
      return { server, listening, mail: await listenNext(listening + 1) }
    } catch (error) {
      server.close()
      if (port !== 0 || tries === mostTries) throw error
    }
  }
}
