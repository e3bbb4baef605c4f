import type { NodemailerError } from 'nodemailer'
import { emailPattern } from '#kernel/email-pattern.ts'
import type { Handover, Letter, SendMail } from '../../modules/mail/ports.ts'
import { invitation } from '../invitation.ts'
import { connectionOptions } from './connection-options.ts'

export interface SmtpServer {
  /** smtp:// or smtps://, with a name and password if the server requires them, and without a path. */
  url: string
  /** The sender's address. */
  from: string
  /** The trusted certificate authority, as PEM; by default those that Node.js trusts. */
  ca?: string
  /** Where to connect instead of the URL's host and port. The certificate must still be the host's. */
  place?: { host: string; port: number }
  /** The timeout of each reply, and of the whole handover. */
  patience?: { responseMs: number; handoverMs: number }
}

const patient = { responseMs: 10_000, handoverMs: 45_000 }

/** A word that cannot be folded must fit into a line (RFC 5322, 2.1.1). */
const maxSubject = 500

const oneAddress = new RegExp(emailPattern)

/** Sends mails to an SMTP server, each on its own connection. */
export function smtpSender({ url, from, ca, place, patience = patient }: SmtpServer): SendMail {
  const options = connectionOptions(url, patience.responseMs)
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      ...options,
      ...place,
      tls: { ...options.tls, ca, servername: place && options.host },
    })
  }
  let transport: ReturnType<typeof open> | undefined
  return async (letter) => {
    // Anything that could be read as several addresses, or as a header, is rejected.
    if (!oneAddress.test(letter.to))
      return { kind: 'rejected', answer: 'The recipient is not an email address.', code: 'EENVELOPE' }
    try {
      transport ??= open()
      const { response } = await (
        await transport
      ).sendMail({
        ...message(letter, from),
        signal: AbortSignal.timeout(patience.handoverMs),
      })
      return { kind: 'taken', answer: response, code: response.slice(0, 3) }
    } catch (error) {
      if (error instanceof Error) return failed(error)
      throw error
    }
  }
}

/** Signs in to the mail server and sends nothing. Returns why that fails, or undefined. */
export async function testSmtp({ url, ca, place }: SmtpServer): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer')
  const options = connectionOptions(url, patient.responseMs)
  const transport = createTransport({
    ...options,
    ...place,
    tls: { ...options.tls, ca, servername: place && options.host },
  })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : 'defect'
  } finally {
    transport.close()
  }
}

const message = ({ id, writtenAt, to, subject, text, calendar }: Letter, from: string) => ({
  envelope: { from, to: [to] },
  from: { name: '', address: from },
  to: { name: '', address: to },
  subject: subject.slice(0, maxSubject).toWellFormed(),
  text,
  ...(calendar !== undefined && { icalEvent: invitation(calendar) }),
  textEncoding: 'quoted-printable' as const,
  date: writtenAt,
  messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
  // Keeps automatic replies from being sent to a program (RFC 3834, 5).
  headers: { 'Auto-Submitted': 'auto-generated' },
  xMailer: false as const,
})

/** Only a permanent error about the sender, recipient, or message is a rejection; any other error is retried. */
function failed(error: NodemailerError): Handover {
  const { code = 'ESMTP', responseCode, message: said, originalCode } = error
  const ofTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // 530 asks for a login or for TLS: the operator must fix the configuration; the mail is fine.
  const isRejected = error.permanent === true && ofTheMail && responseCode !== 530
  return {
    kind: isRejected ? 'rejected' : 'later',
    answer: said,
    code: String(responseCode ?? originalCode ?? code),
  }
}
