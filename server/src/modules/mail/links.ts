export interface Span {
  text: string
  /** The link's target; undefined for plain text. */
  href?: string
}

/** A web address, without the punctuation that ends its sentence. */
const address = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/g

/** Splits a text into spans. Links to this origin have a target; other links stay text. */
export function splitLinks(text: string, origin: string): Span[] {
  const own = URL.parse(origin)?.origin
  const spans: Span[] = []
  let end = 0
  for (const { 0: link, index } of text.matchAll(address)) {
    if (own === undefined || URL.parse(link)?.origin !== own) continue
    if (index > end) spans.push({ text: text.slice(end, index) })
    spans.push({ text: link, href: link })
    end = index + link.length
  }
  if (end < text.length) spans.push({ text: text.slice(end) })
  return spans
}
