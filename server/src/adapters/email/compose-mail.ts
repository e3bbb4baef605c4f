import type { EmailAccount, OutgoingEmail, OutgoingMessage } from '../../modules/messages/ports.ts'
import { invitation } from '../invitation.ts'

/** Headers that the DKIM signature covers if present, including both for one-click unsubscribe (RFC 8058, 4). */
const signedHeaders = [
  'From',
  'Reply-To',
  'To',
  'Subject',
  'Date',
  'Message-ID',
  'In-Reply-To',
  'References',
  'MIME-Version',
  'Content-Type',
  'Content-Transfer-Encoding',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
].join(':')

/** A word that cannot be folded must fit into a line (RFC 5322, 2.1.1). */
const maxSubject = 255

/** The bytes of an email, DKIM-signed if the connection has a key. The same input always gives the same bytes. */
export async function composeMail(
  { from, to, subject, body, bodyHtml }: OutgoingMessage,
  email: OutgoingEmail,
  dkim: EmailAccount['dkim'],
): Promise<Buffer> {
  const { marketing, fromName, replyTo, messageId, references, writtenAt, calendar } = email
  const { createTransport } = await import('nodemailer')
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: dkim.privateKey,
        headerFieldNames: signedHeaders,
      },
    }),
  })
  const { message } = await composer.sendMail({
    from: { name: oneLine(fromName), address: from },
    to: { name: '', address: to },
    replyTo: { name: '', address: replyTo },
    subject: oneLine(subject ?? '').slice(0, maxSubject),
    ...(body !== null && { text: body.toWellFormed() + textFooter(marketing) }),
    ...(bodyHtml !== null && { html: withHtmlFooter(bodyHtml.toWellFormed(), marketing) }),
    ...(calendar !== null && { icalEvent: invitation(calendar) }),
    textEncoding: 'quoted-printable',
    date: writtenAt,
    messageId,
    ...(references.length > 0 && { inReplyTo: references.at(-1), references: [...references] }),
    headers: headersOf(marketing),
    baseBoundary: messageId.slice(1, messageId.indexOf('@')),
    xMailer: false,
  })
  if (!Buffer.isBuffer(message)) throw new Error('The mail is not a buffer.')
  return message
}

const oneLine = (text: string) => text.toWellFormed().replaceAll(/[\0-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ')

const headersOf = (marketing: OutgoingEmail['marketing']): Record<string, string> =>
  marketing?.unsubscribeUrl
    ? {
        'List-Unsubscribe': `<${marketing.unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
    : {}

/** The postal address and unsubscribe link that marketing email must have (15 U.S.C. 7704(a)(5)). */
function textFooter(marketing: OutgoingEmail['marketing']): string {
  if (marketing === null) return ''
  const { postalAddress, unsubscribeUrl } = marketing
  const lines = [postalAddress ?? '', unsubscribeUrl === null ? '' : `Unsubscribe: ${unsubscribeUrl}`]
  return `\n\n-- \n${lines.filter((line) => line !== '').join('\n')}\n`
}

/** Inserts the footer before `</body>`, or appends it if there is no such tag. */
function withHtmlFooter(html: string, marketing: OutgoingEmail['marketing']): string {
  if (marketing === null) return html
  const { postalAddress, unsubscribeUrl } = marketing
  const address = escaped(postalAddress ?? '').replaceAll('\n', '<br>')
  const link = unsubscribeUrl === null ? '' : `<br><a href="${escaped(unsubscribeUrl)}">Unsubscribe</a>`
  const footer = `<p style="font-size:12px;color:#666666">${address}${link}</p>`
  const end = html.toLowerCase().lastIndexOf('</body')
  return end === -1 ? html + footer : html.slice(0, end) + footer + html.slice(end)
}

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
