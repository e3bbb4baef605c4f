import { type HtmlToTextOptions, compile } from 'html-to-text'

const options: HtmlToTextOptions = {
  wordwrap: false,
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'blockquote', options: { trimEmptyLines: true } },
  ],
}

const convert = compile({ ...options, limits: { maxDepth: 100, maxChildNodes: 5000, ellipsis: '' } })
const convertAll = compile(options)

/** Converts HTML to text and keeps its links. If the HTML is too deep or too odd to convert, only strips its tags. */
export function textOfHtml(html: string): string {
  try {
    return convert(html)
  } catch {
    return withoutTags(html)
  }
}

/**
 * Everything that HTML may show, for a check of what it says: however deep its elements are, and also in alternative texts,
 * titles, style sheets, CDATA, and comments for Outlook.
 */
export function wordsOfHtml(html: string): string {
  const inAttributes = html.matchAll(attributes).map(([, value = '']) => value.replaceAll(/^["']|["']$/g, ''))
  const inStyles = html.matchAll(contents).map(([, value = '']) => withoutEscapes(value.slice(1, -1)))
  const aside = [...inAttributes, ...inStyles].join('\n')
  return [allTextOf(html.replaceAll(shownComments, '')), allTextOf(aside)].filter(Boolean).join('\n')
}

function allTextOf(html: string): string {
  try {
    return convertAll(html)
  } catch {
    return withoutTags(html)
  }
}

const attributes =
  /\b(?:alt|title|aria-label|placeholder|value|label|summary|srcdoc|data-[\w-]{1,40})\s?=\s?("[^"]*"|'[^']*'|[^\s"'>]+)/gi
const contents = /(?:\bcontent|\bquotes|\blist-style(?:-type)?|--[\w-]{1,40})\s?:\s?("[^"]*"|'[^']*')/gi
const shownComments = /<!\[CDATA\[>?|<!--\[if[^>]{0,100}>/gi

/** The text of a string in a style sheet, which may write characters by their numbers. */
const withoutEscapes = (text: string) =>
  text.replaceAll(/\\([\da-f]{1,6})\s?/gi, (_, code: string) => {
    const point = Number.parseInt(code, 16)
    return point > 0x10ffff ? '' : String.fromCodePoint(point)
  })

/** The text between the tags. What begins like a tag and does not end is text. */
export function withoutTags(html: string): string {
  const pieces = html.split('>')
  const rest = pieces.pop()
  const texts = pieces.map((piece) => {
    const tag = piece.indexOf('<')
    return tag === -1 ? `${piece}>` : `${piece.slice(0, tag)} `
  })
  return `${texts.join('')}${rest}`
}
