import type { Column } from './headers.ts'

/** How a line of totals begins. */
const total =
  /^(?:(?:grand |sub-?)?totals?(?: ?[:=#].*| (?:listings?|records?|rows?|properties|count|number|volume)\b.*| \d[\d,.]*)?|(?:averages?|avg\.?|medians?|sums?|counts?|records?|rows?|number of (?:listings|records|rows)|end of (?:report|file|list))(?: ?[:=#].*| \d[\d,.]*)?)$/i

/** Fields whose cell may be a sentence by itself. */
const ofWords = new Set(['address', 'street_name', 'public_remarks'])

/**
 * Why a row is no listing: it repeats the header, has totals, or is a note of the program that wrote the file. Undefined
 * for any other row.
 */
export function aboutRow(cells: readonly string[], columns: readonly Column[]): string | undefined {
  const filled = cells.flatMap((cell, index) => (cell === '' ? [] : { cell, column: columns[index] }))
  const [first] = filled
  if (first === undefined) return undefined
  const bare = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ')
  const named = columns.filter(({ header }) => header !== '').length
  if (
    filled.length === named &&
    filled.every(({ cell, column }) => bare(cell) === bare(column?.header ?? ''))
  )
    return 'it repeats the header'
  if (total.test(first.cell)) return 'it has totals'
  const isSentence = filled.length === 1 && named > 2 && first.cell.split(/\s+/).length > 2
  if (isSentence && !ofWords.has(first.column?.field ?? ''))
    return `it has only a note, “${first.cell.slice(0, 100)}”`
  return undefined
}
