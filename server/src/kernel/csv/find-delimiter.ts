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
  let best: { delimiter: string; score: number } = { delimiter: ',', score: 0 }
  for (const delimiter of candidates) {
    const { records } = splitRecords(sample, delimiter, 1, false)
    const widths = records
      .filter(({ cells }) => cells.some((cell) => /[^\s,;|]/.test(cell)))
      .map(({ cells }) => cells.length)
    const header = widths[0] ?? sample.split(/[\r\n]/, 1)[0]?.split(delimiter).length ?? 1
    const same = widths.length === 0 ? 1 : widths.filter((width) => width === header).length / widths.length
    const score = header < 2 ? 0 : header * same * same
    if (score > best.score) best = { delimiter, score }
  }
  return { delimiter: best.delimiter, skip: 0 }
}
