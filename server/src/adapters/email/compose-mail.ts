import { type textOfHtml, withoutTags } from '#kernel/text-of-html.ts'
import { inThread } from '#kernel/threads/in-thread.ts'
import type { EmailAccount, OutgoingEmail, OutgoingMessage } from '../../modules/messages/ports.ts'
import { invitation } from '../invitation.ts'
import { endOfHtml } from './end-of-html.ts'

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

const textOf = inThread<typeof textOfHtml>(import.meta.resolve('#kernel/text-of-html.ts'), 'textOfHtml')

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
    text: (body ?? (await plainText(bodyHtml ?? ''))).toWellFormed() + textFooter(marketing),
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

/** Every email has a text part, for those who do not see HTML. */
const plainText = (html: string): Promise<string> => textOf(html).catch(() => withoutTags(html))

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

/** Adds the footer where the HTML before it cannot hide it. */
function withHtmlFooter(html: string, marketing: OutgoingEmail['marketing']): string {
  if (marketing === null) return html
  const { postalAddress, unsubscribeUrl } = marketing
  const address = escaped(postalAddress ?? '').replaceAll('\n', '<br>')
  const link =
    unsubscribeUrl === null
      ? ''
      : `<br><a href="${escaped(unsubscribeUrl)}" style="${shown}display:inline!important">Unsubscribe</a>`
  const footer = `<p style="${shown}display:block!important">${address}${link}</p>`
  const { at, closing } = endOfHtml(html)
  return html.slice(0, at) + closing + footer + html.slice(at)
}

/** Takes precedence over style sheets. */
const shown = [
  'font-size:12px',
  'line-height:1.5',
  'color:#666666',
  'background:#ffffff',
  'visibility:visible',
  'opacity:1',
  'position:static',
  'height:auto',
  'text-indent:0',
]
  .map((one) => `${one}!important;`)
  .join('')

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
