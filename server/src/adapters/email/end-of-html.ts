/** Elements whose content is no markup: only their own end tag ends them. */
const rawElements = new Set(
  'script style title textarea xmp iframe noembed noframes noscript plaintext'.split(' '),
)

const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** A start or end tag, a comment, or a declaration, from its `<`. An incomplete one has no end. */
const markup = /<(?:(\/?)([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)(>?)|!--|[!?/])/giy

/**
 * Where in the HTML a text can be added that nothing before it hides: before `</body>`, or at the end. `closing` is to be
 * written before the text. It ends what is left open there: a comment, a tag, a style sheet, or elements.
 */
export function endOfHtml(html: string): { at: number; closing: string } {
  const lower = html.toLowerCase()
  const opened: string[] = []
  const open: string[] = []
  let isNested = true
  let endOfBody: number | undefined
  const closing = (before = '') => before + (isNested ? open : opened).toReversed().map(endTag).join('')
  for (let from = html.indexOf('<'); from !== -1; from = html.indexOf('<', from)) {
    markup.lastIndex = from
    const [whole = '', slash = '', written = '', , end = ''] = markup.exec(html) ?? []
    const name = written.toLowerCase()
    if (whole === '') from++
    else if (name === '') {
      const mark = whole === '<!--' ? '-->' : '>'
      const found = html.indexOf(mark, from + 2)
      const closes = html.startsWith('<![CDATA[', from) ? ']]>' : mark
      if (found === -1) return { at: html.length, closing: closing(closes) }
      from = found + mark.length
    } else {
      // A quotation mark that does not end hides what follows.
      if (end === '') return { at: html.length, closing: closing(`${openQuote(html.slice(from))}>`) }
      if (slash === '/' && name === 'body') endOfBody = from
      from += whole.length
      if (slash === '/') {
        if (open.at(-1) === name) open.pop()
        else if (name !== 'html' && name !== 'body') isNested = false
      } else if (!voidElements.has(name) && name !== 'html' && name !== 'body') {
        opened.push(name)
        open.push(name)
      }
      if (slash === '' && rawElements.has(name)) {
        const last = lower.indexOf(`</${name}`, from)
        if (last === -1) return { at: html.length, closing: closing() }
        from = last
      }
    }
  }
  const isClosed = isNested && open.length === 0
  return isClosed && endOfBody !== undefined
    ? { at: endOfBody, closing: '' }
    : { at: html.length, closing: closing() }
}

const endTag = (name: string) => `</${name}>`

function openQuote(tag: string): string {
  let quote = ''
  for (const one of tag) {
    if (quote === '' && (one === '"' || one === "'")) quote = one
    else if (one === quote) quote = ''
  }
  return quote
}
