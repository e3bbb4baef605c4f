import { type NodemailerError, createTransport } from 'nodemailer'
import { emailPattern } from '#kernel/schemas.ts'
import type { Handover, Letter, SendMail } from '../../modules/mail/ports.ts'
import { connectionOptions } from './connection-options.ts'

export interface SmtpServer {
  /** smtp:// or smtps://, with name and password where the server wants them, and nothing behind host and port. */
  url: string
  /** The address that mails are from. */
  from: string
  /** Who vouches for the server's certificate, as PEM; whom Node.js trusts by default. */
  ca?: string
  /** Where to connect instead of the URL's host and port. The certificate must still be the host's. */
  place?: { host: string; port: number }
  /** How long a silence may last, and how long the whole of it where the server is never silent. */
  patience?: { silenceMs: number; handoverMs: number }
}

const patient = { silenceMs: 10_000, handoverMs: 45_000 }

/** A word that nothing can fold must fit into a line (RFC 5322, 2.1.1). */
const maxSubject = 500

const oneAddress = new RegExp(emailPattern)

/** Hands mails to an SMTP server, each on a connection of its own. */
export function smtpSender({ url, from, ca, place, patience = patient }: SmtpServer): SendMail {
  const options = connectionOptions(url, patience.silenceMs)
  const transport = createTransport({
    ...options,
    ...place,
    tls: { ...options.tls, ca, servername: place && options.host },
  })
  return async (letter) => {
    // Whatever else could be read as several addresses, or as a header of its own, goes nowhere.
    if (!oneAddress.test(letter.to))
      return { kind: 'refused', answer: 'The recipient is not an e-mail address.', code: 'EENVELOPE' }
    try {
      const { response } = await transport.sendMail({
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

const message = ({ id, writtenAt, to, subject, text }: Letter, from: string) => ({
  envelope: { from, to: [to] },
  from: { name: '', address: from },
  to: { name: '', address: to },
  subject: subject.slice(0, maxSubject).toWellFormed(),
  text,
  textEncoding: 'quoted-printable' as const,
  date: writtenAt,
  messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
  // Nobody's absence is to be told to a program (RFC 3834, 5).
  headers: { 'Auto-Submitted': 'auto-generated' },
  xMailer: false as const,
})

/** Only what the server says for good of sender, recipient or message is a refusal; anything else may pass. */
function failed(error: NodemailerError): Handover {
  const { code = 'ESMTP', responseCode, message: said, originalCode } = error
  const ofTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  // 530 asks for a login or for TLS first: that is for the operator to mend, not a fault of the mail.
  const refused = error.permanent === true && ofTheMail && responseCode !== 530
  return {
    kind: refused ? 'refused' : 'later',
    answer: said,
    code: String(responseCode ?? originalCode ?? code),
  }
}
