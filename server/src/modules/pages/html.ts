/** Markup that is safe to write into a page unescaped. Only `html` creates it. */
export interface Html {
  readonly markup: string
}

/** A value that can be interpolated into markup. Strings are escaped; undefined, null and false render nothing. */
export type Part = Html | string | number | undefined | null | false | readonly Part[]

/** Builds markup with values between tags or inside quoted attributes: html`<p title="${name}">${name}</p>`. */
export const html = (pieces: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  markup: pieces.reduce((before, piece, place) => `${before}${markupOf(parts[place - 1])}${piece}`),
})

/** A name that a person chose, isolated so that its writing direction does not reorder the surrounding text. */
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
