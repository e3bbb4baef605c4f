import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import type { NodemailerError, SMTPTransportOptions } from 'nodemailer'
import type { SendOutcome } from '../../modules/messages/ports.ts'
import { outcomeOfFailure } from './smtp-outcome.ts'

/** An email and its envelope addresses. */
export interface Envelope {
  from: string
  to: string
  mail: Buffer
}

/** Timeouts: until the server is ready for the mail, and for the whole handover. */
export interface Patience {
  readyMs: number
  allMs: number
}

/**
 * Connects by `connect`, signs in, and only then calls `open` and sends the mail that it returns, so that no mail is
 * sent long after it was cleared. Never rejects, unless `open` does.
 */
export async function handOver(
  options: SMTPTransportOptions,
  connect: (signal: AbortSignal) => Promise<Socket>,
  open: () => Promise<Envelope>,
  { readyMs, allMs }: Patience,
): Promise<SendOutcome> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  let connection: InstanceType<typeof SMTPConnection> | undefined
  const stop = new AbortController()
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {})
  const cut = (ms: number, message: string) => setTimeout(() => reject(new Error(message)), ms)
  const timers = [cut(allMs, 'The mail server took too long.')]
  let contentSent = false
  const within = <T>(work: (done: (error?: Error | null, result?: T) => void) => void) =>
    Promise.race([
      failed,
      new Promise<T>((resolve, no) => work((error, result) => (error ? no(error) : resolve(result as T)))),
    ])
  try {
    const notReady = cut(readyMs, 'The mail server was not ready in time.')
    timers.push(notReady)
    let smtp: InstanceType<typeof SMTPConnection>
    try {
      const socket = await Promise.race([failed, connect(stop.signal)])
      smtp = connection = new SMTPConnection({ ...options, connection: socket })
      smtp.on('error', reject)
      await within((done) => smtp.connect(done))
      const { auth } = options
      if (auth !== undefined && smtp.allowsAuth)
        await within((done) => smtp.login({ credentials: auth }, done))
    } catch (error) {
      return outcomeOfFailure(asFailure(error), false)
    }
    clearTimeout(notReady)
    const { from, to, mail } = await open()
    const content = Readable.from(
      (function* read() {
        for (let at = 0; at < mail.length; at += chunkBytes) yield mail.subarray(at, at + chunkBytes)
        contentSent = true
      })(),
    )
    try {
      await within((done) => smtp.send({ from, to: [to], size: mail.length }, content, done))
      return { kind: 'taken', providerMessageId: null }
    } catch (error) {
      return outcomeOfFailure(asFailure(error), contentSent)
    }
  } finally {
    timers.forEach(clearTimeout)
    stop.abort()
    connection?.close()
  }
}

const chunkBytes = 16_384

const asFailure = (error: unknown): NodemailerError =>
  error instanceof Error ? error : new Error(String(error))
