export interface Span {
  text: string
  /** Where it leads; undefined where it is text only. */
  href?: string
}

/** A web address, but for what ends the sentence that it stands in. */
const address = /https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]}]/g

/** A text in pieces, of which those that are links to this origin have a target. Other links stay text. */
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
