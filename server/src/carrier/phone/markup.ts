/** Markup that may be written into a page as it is. Only `markup` makes it. */
export interface Markup {
  readonly text: string
}

type Insert = Markup | string | undefined | readonly Insert[]

/** Markup with texts in it, between tags or within quotes; texts are escaped. */
export const markup = (pieces: TemplateStringsArray, ...inserts: readonly Insert[]): Markup => ({
  text: pieces.reduce((before, piece, place) => before + written(inserts[place - 1]) + piece),
})

function written(insert: Insert): string {
  if (insert === undefined) return ''
  if (typeof insert === 'string') return insert.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
  return 'text' in insert ? insert.text : insert.map(written).join('')
}
