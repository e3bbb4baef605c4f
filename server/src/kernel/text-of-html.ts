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
    return html.replaceAll(/<[^>]{0,2000}>/g, ' ')
  }
}
