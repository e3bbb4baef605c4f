import { once } from 'node:events'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { compile } from 'html-to-text'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerSession } from 'smtp-server'
import { isLoopbackAddress } from '../local-request.ts'
import type { MessageLog } from '../message-log.ts'
import { addressBehaviorOf } from './failing-addresses.ts'
import type { TakenMail } from './write-mail.ts'

const maxBytes = 1_000_000
const maxConnections = 500
const maxKnown = 100_000

/** Takes emails over SMTP on a loopback address, without TLS. Any name and password is an account. */
export async function startSmtp(
  { log, now, onTaken }: { log: MessageLog; now: () => Date; onTaken: (mail: TakenMail) => void },
  { host, port }: { host: string; port: number },
): Promise<AsyncDisposable> {
  const sockets = new Map<number, Socket>()
  /** Keys that have been seen. */
  const known = new Set<string>()
  const isFirst = (what: string) => {
    const isNew = !known.has(what) && known.size < maxKnown
    known.add(what)
    return isNew
  }

  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    size: maxBytes,
    maxClients: maxConnections,
    closeTimeout: 50,
    socketTimeout: 60_000,
    onConnect: ({ remoteAddress }, done) =>
      done(isLoopbackAddress(remoteAddress) ? null : rejection({ code: 554, text: '5.7.1 Only from here' })),
    onAuth: ({ username }, _session, done) => done(null, { user: username ?? '' }),
    onRcptTo({ address }, _session, done) {
      const { recipient } = addressBehaviorOf(address)
      const isTaken = recipient === undefined || (recipient.once === true && !isFirst(`to ${address}`))
      done(isTaken ? null : rejection(recipient))
    },
    onData(stream, session, done) {
      const finish = (outcome: Awaited<ReturnType<typeof take>>) => {
        if (outcome === 'reset') return void sockets.get(session.remotePort)?.resetAndDestroy()
        return outcome === 'hang' ? undefined : done(outcome)
      }
      buffer(stream)
        .then((raw) => take(session, raw))
        .then(finish, done)
    },
  })

  async function take(
    { envelope, user }: SMTPServerSession,
    raw: Buffer,
  ): Promise<Error | null | 'reset' | 'hang'> {
    const to = envelope.rcptTo[0]?.address.toLowerCase() ?? ''
    const { content, reply } = addressBehaviorOf(to)
    if (raw.length > maxBytes) return rejection({ code: 552, text: '5.3.4 The message is too large' })
    if (content !== undefined) return rejection(content)
    if (reply === 'hang') return 'hang'
    const mail = await PostalMime.parse(raw)
    const at = now()
    // The same Message-ID to the same recipient is the same email.
    const id = `${mail.messageId ?? at.toISOString()} ${to}`
    if (log.find(id) === undefined) {
      const taken = {
        account: String(user),
        from: mail.from?.address?.toLowerCase() ?? '',
        to,
        subject: mail.subject ?? '',
        replyTo: mail.replyTo?.[0]?.address ?? null,
        messageId: mail.messageId ?? null,
      }
      log.add({
        ...taken,
        id,
        direction: 'outbound',
        body: mail.text?.trim() ?? textOf(mail.html ?? ''),
        status: 'delivered',
        errorCode: null,
        createdAt: at,
        sentAt: at,
      })
      onTaken({ ...taken, returnPath: envelope.mailFrom ? envelope.mailFrom.address : '' })
    }
    return reply === 'reset' && isFirst(`reply ${id}`) ? 'reset' : null
  }

  // Clients may disconnect at any time.
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => {
    const { remotePort = 0 } = socket
    sockets.set(remotePort, socket)
    socket.on('close', () => sockets.delete(remotePort))
  })
  server.listen(port, host)
  await once(server.server, 'listening')
  return {
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of sockets.values()) socket.destroy()
      await closed
    },
  }
}

const textOf = compile({ wordwrap: false, limits: { maxInputLength: maxBytes } })

const rejection = ({ code, text }: { code: number; text: string }) =>
  Object.assign(new Error(text), { responseCode: code })
