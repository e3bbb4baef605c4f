/** Markup that is safe to write into a page. Only `markup` creates it. */
export interface Markup {
  readonly text: string
}

type Insert = Markup | string | undefined | readonly Insert[]

/** Template tag for markup. Escapes inserted texts, which may be between tags or within quotes. */
export const markup = (pieces: TemplateStringsArray, ...inserts: readonly Insert[]): Markup => ({
  text: pieces.reduce((before, piece, place) => before + written(inserts[place - 1]) + piece),
})

function written(insert: Insert): string {
  if (insert === undefined) return ''
  if (typeof insert === 'string') return insert.replaceAll(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)
  return 'text' in insert ? insert.text : insert.map(written).join('')
}
