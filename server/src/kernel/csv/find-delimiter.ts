import { splitRecords } from './split-records.ts'

const candidates = [',', ';', '\t', '|'] as const

/** Enough records to decide. In characters. */
const maxSample = 50_000

/** Excel's line that names the delimiter, such as `sep=;`, also quoted and filled up with delimiters. */
const declaration = /^"?sep=(.)"?[,;\t|]*(?:\r\n|\n|\r|$)/i

/**
 * The delimiter of a file that begins with the text, and the length of a first line that declares it. Else the one that
 * splits the header and the records after it into the same number of cells, the more the better. The comma if none does.
 */
export function findDelimiter(text: string): { delimiter: string; skip: number } {
  const declared = declaration.exec(text)
  if (declared?.[1] !== undefined && declared[1] !== '"')
    return { delimiter: declared[1], skip: declared[0].length }
  const sample = text.slice(0, maxSample)
  const tables = candidates.map((delimiter) => {
    const { records } = splitRecords(sample, delimiter, 1, false)
    const widths = records
      .filter(({ cells }) => cells.some((cell) => /[^\s,;|]/.test(cell)))
      .map(({ cells }) => cells.length)
    const first = sample.split(/[\r\n]/, 1)[0]?.split(delimiter).length ?? 1
    return { delimiter, widths: widths.length === 0 ? [first] : widths }
  })
  const scored = (from: (widths: readonly number[]) => number) =>
    tables.map(({ delimiter, widths }) => ({ delimiter, score: evenness(widths.slice(from(widths))) }))
  // Titles above the header may be lines of one cell.
  const all = [
    scored(() => 0),
    scored((widths) =>
      Math.max(
        0,
        widths.findIndex((width) => width > 1),
      ),
    ),
  ]
  const [best] = (all.find((some) => some.some(({ score }) => score > 0)) ?? []).toSorted(
    (one, other) => other.score - one.score,
  )
  return { delimiter: best?.delimiter ?? ',', skip: 0 }
}

/** How far records have as many cells as the first one, the more the better. 0 if that has only one. */
function evenness(widths: readonly number[]): number {
  const [header = 1] = widths
  const same = widths.filter((width) => width === header).length / widths.length
  return header < 2 ? 0 : header * same * same
}
