import { compile } from 'html-to-text'

const convert = compile({
  wordwrap: false,
  limits: { maxDepth: 100, maxChildNodes: 5000, ellipsis: '' },
  selectors: [
    { selector: 'img', format: 'skip' },
    { selector: 'a', options: { hideLinkHrefIfSameAsText: true, ignoreHref: false } },
    ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
    { selector: 'blockquote', options: { trimEmptyLines: true } },
  ],
})

/** Converts HTML to text and keeps its links. If the HTML is too deep or too odd to convert, only strips its tags. */
export function textOfHtml(html: string): string {
  try {
    return convert(html)
  } catch {
    return withoutTags(html)
  }
}

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
