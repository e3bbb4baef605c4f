/** Markup that may be written into a page as it is. Only `html` makes it. */
export interface Html {
  readonly markup: string
}

/** What may stand between two pieces of markup. Texts are shown as texts; what is missing leaves nothing. */
export type Part = Html | string | number | undefined | null | false | readonly Part[]

/** Markup with texts in it, between tags or within quotes: html`<p title="${name}">${name}</p>`. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: pieces.reduce((before, piece, place) => `${before}${markupOf(parts[place - 1])}${piece}`),
})

/** A name that a person chose. Whatever its writing direction, the text around it keeps its order. */
export const named = (name: string): Html => html`<bdi>${name}</bdi>`

function markupOf(part: Part): string {
  if (part === undefined || part === null || part === false) return ''
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(markupOf).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '')
