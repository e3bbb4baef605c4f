/** Elements whose content is no markup: only their own end tag ends them. */
const rawElements = new Set(
  'script style title textarea xmp iframe noembed noframes noscript plaintext'.split(' '),
)

const voidElements = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
)

/** The beginning of a start or end tag, a comment, or a declaration. */
const markup = /<(?:(\/?)([a-z][^\s/>]*)|!--|[!?/])/giy

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
    const [whole = '', slash = '', written = ''] = markup.exec(html) ?? []
    const name = written.toLowerCase()
    if (whole === '') from++
    else if (name === '') {
      const mark = whole === '<!--' ? '-->' : '>'
      const found = html.indexOf(mark, from + 2)
      const closes = html.startsWith('<![CDATA[', from) ? ']]>' : mark
      if (found === -1) return { at: html.length, closing: closing(closes) }
      from = found + mark.length
    } else {
      const { end, quote } = endOfTag(html, from + whole.length)
      if (end === undefined) return { at: html.length, closing: closing(`${quote}>`) }
      if (slash === '/' && name === 'body') endOfBody = from
      from = end
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

/** Where a tag ends, as browsers find it: a quotation mark counts only where a value begins (HTML, 13.2.5.32 to 39). */
function endOfTag(html: string, from: number): { end: number | undefined; quote: string } {
  let state: 'before' | 'name' | 'afterName' | 'beforeValue' | 'value' | '"' | "'" = 'before'
  for (let at = from; at < html.length; at++) {
    const one = html[at] ?? ''
    if (state === '"' || state === "'") {
      if (one === state) state = 'before'
    } else if (one === '>') return { end: at + 1, quote: '' }
    else if (/\s/.test(one)) {
      if (state === 'name') state = 'afterName'
      else if (state === 'value') state = 'before'
    } else if (state === 'beforeValue') state = one === '"' || one === "'" ? one : 'value'
    else if (state !== 'value') {
      if (one === '/') state = 'before'
      else if (one === '=' && state !== 'before') state = 'beforeValue'
      else state = 'name'
    }
  }
  return { end: undefined, quote: state === '"' || state === "'" ? state : '' }
}
