import type { Attachment, Email } from 'postal-mime'
import { textOfHtml } from '#kernel/text-of-html.ts'
import { mailLimits } from './mail-limits.ts'
import { winmailText } from './winmail-text.ts'

interface MailContent extends Pick<Email, 'text' | 'html' | 'attachments'> {
  isCut: boolean
}

/**
 * A mail's text: its plain text, or else the text of its HTML, or of the mail in a `winmail.dat`, including quotes.
 * Attachments are not kept, but listed at the end with their sizes. If the mail was cut off, its last attachment may have been longer.
 */
export function mailText({ text, html, attachments, isCut }: MailContent): string {
  const page = isPage.test(text ?? '') ? text : html
  const written =
    text === undefined || text.trim() === '' || page === text
      ? textOfHtml((page ?? '').slice(0, mailLimits.html))
      : text
  const own = written.replaceAll('\r\n', '\n').trim()
  const said = cut(own === '' ? packedText(attachments) : own)
  const files = attachments.filter((one) => one.related !== true && !(isCut && sizeOf(one) === 0))
  const named = files
    .slice(0, mailLimits.attachments)
    .map((file, index) => nameOf(file, isCut && index === files.length - 1))
  const unnamed = files.length - named.length
  const list = [...named, ...(unnamed > 0 ? [`[${unnamed} more attachments]`] : [])].join('\n')
  return [said, list].filter((part) => part !== '').join('\n\n')
}

/** What Outlook has packed into an attachment for another Outlook. */
function packedText(attachments: readonly Attachment[]): string {
  const packed = attachments.find(
    ({ mimeType, filename }) =>
      mimeType.toLowerCase() === 'application/ms-tnef' || filename === 'winmail.dat',
  )
  if (packed === undefined || typeof packed.content === 'string') return ''
  return winmailText(new Uint8Array(packed.content))
}

/** HTML in a part that is called plain text, or of no type. */
const isPage = /^\s*<(?:!doctype html|html)[\s>]/i

const cut = (text: string): string =>
  text.length <= mailLimits.text ? text : `${text.slice(0, mailLimits.text)}\n[The rest was cut off.]`

const nameOf = (file: Attachment, isCut: boolean): string =>
  `[Attachment: ${(file.filename ?? file.mimeType).slice(0, 120)}, ${isCut ? 'over ' : ''}${inWords(sizeOf(file))}]`

const sizeOf = ({ content }: Attachment) =>
  typeof content === 'string' ? content.length : content.byteLength

function inWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
