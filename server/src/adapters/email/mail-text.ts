import { compile } from 'html-to-text'
import type { Attachment, Email } from 'postal-mime'
import { mailLimits } from './mail-limits.ts'

/**
 * What a mail says, as text: its plain text, or else the text of its HTML. Quoted text stays. The files that came with it are
 * not kept; they are named at the end, with their sizes.
 */
export function mailText({ text, html, attachments }: Pick<Email, 'text' | 'html' | 'attachments'>): string {
  const written = text === undefined || text.trim() === '' ? textOfHtml(html ?? '') : text
  const said = cut(written.replaceAll('\r\n', '\n').trim())
  const files = attachments.filter((one) => one.related !== true)
  const named = files.slice(0, mailLimits.attachments).map(nameOf)
  const unnamed = files.length - named.length
  const list = [...named, ...(unnamed > 0 ? [`[${unnamed} more attachments]`] : [])].join('\n')
  return [said, list].filter((part) => part !== '').join('\n\n')
}

const cut = (text: string): string =>
  text.length <= mailLimits.text ? text : `${text.slice(0, mailLimits.text)}\n[The rest was cut off.]`

const nameOf = ({ filename, mimeType, content }: Attachment): string => {
  const size = typeof content === 'string' ? content.length : content.byteLength
  return `[Attachment: ${(filename ?? mimeType).slice(0, 120)}, ${inWords(size)}]`
}

function inWords(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

const convert = compile({
  wordwrap: false,
  limits: { maxInputLength: mailLimits.html, maxDepth: 100, maxChildNodes: 5000, ellipsis: '' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'blockquote', options: { trimEmptyLines: true } },
  ],
})

/** HTML that is too deep or too strange to convert loses its tags. */
function textOfHtml(html: string): string {
  const read = html.slice(0, mailLimits.html)
  try {
    return convert(read)
  } catch {
    return read.replaceAll(/<[^>]{0,2000}>/g, ' ')
  }
}
