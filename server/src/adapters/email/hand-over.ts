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
 * Connects, signs in, and only then calls `open` and sends the mail that it returns, so that no mail is sent long after
 * it was cleared. Never rejects, unless `open` does.
 */
export async function handOver(
  options: SMTPTransportOptions,
  open: () => Promise<Envelope>,
  { readyMs, allMs }: Patience,
): Promise<SendOutcome> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection(options)
  const { promise: failed, reject } = Promise.withResolvers<never>()
  failed.catch(() => {})
  connection.on('error', reject)
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
    try {
      await within((done) => connection.connect(done))
      const { auth } = options
      if (auth !== undefined && connection.allowsAuth)
        await within((done) => connection.login({ credentials: auth }, done))
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
      await within((done) => connection.send({ from, to: [to], size: mail.length }, content, done))
      return { kind: 'taken', providerMessageId: null }
    } catch (error) {
      return outcomeOfFailure(asFailure(error), contentSent)
    }
  } finally {
    timers.forEach(clearTimeout)
    connection.close()
  }
}

const chunkBytes = 16_384

const asFailure = (error: unknown): NodemailerError =>
  error instanceof Error ? error : new Error(String(error))
