import { linesIn } from './decode.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** More than one record needs, even with remarks and photos. In characters. */
const maxRecord = 1_048_576

export interface CsvRecord {
  /** The line on which it starts. */
  line: number
  cells: string[]
}

/**
 * Splits text into records (RFC 4180), and reads what programs write beside it: any line end, blanks around quotes, and
 * quotes within a cell, quoted or not. Returns the text of a record that has no end yet; at the end of a file, a record
 * needs no line end. Linear in the length of the text.
 */
export function splitRecords(
  text: string,
  delimiter: string,
  firstLine: number,
  isLast: boolean,
): { records: CsvRecord[]; rest: string; line: number } {
  const records: CsvRecord[] = []
  let at = 0
  let line = firstLine
  let record: CsvRecord = { line, cells: [] }
  let start = 0
  while (at < text.length) {
    const cell = readCell(text, at, delimiter)
    if (cell === undefined) {
      if (isLast)
        throw new UnreadableFile(
          line + linesIn(text.slice(start, at)),
          'the quote that opens a cell is never closed',
        )
      break
    }
    const { value, end } = cell
    record.cells.push(value)
    if (end >= text.length && !isLast) break
    at = end + 1
    const isEnd = end >= text.length || text[end] !== delimiter
    // A delimiter at the very end of the text is followed by an empty cell.
    if (!isEnd && at >= text.length && isLast) record.cells.push('')
    if (!isEnd && at < text.length) continue
    if (!isEnd && !isLast) break
    if (text[end] === '\r' && text[at] === '\n') at++
    records.push(record)
    line += linesIn(text.slice(start, at))
    start = at
    record = { line, cells: [] }
  }
  const rest = text.slice(start)
  if (rest.length > maxRecord)
    throw new UnreadableFile(line, 'the record is longer than a megabyte: is a quote never closed?')
  return { records, rest, line }
}

const isLineEnd = (char: string | undefined) => char === '\n' || char === '\r'

/** Reads the cell that begins at the position. Its end is that of the delimiter, the line end, or the text. */
function readCell(text: string, from: number, delimiter: string): { value: string; end: number } | undefined {
  let at = skipBlanks(text, from, delimiter)
  if (text[at] !== '"') return bareCell(text, from, delimiter)
  at++
  let value = ''
  let isLenient = false
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return undefined
    value += text.slice(at, quote)
    const next = skipBlanks(text, quote + 1, delimiter)
    if (next >= text.length || text[next] === delimiter || isLineEnd(text[next])) return { value, end: next }
    if (text[quote + 1] === '"') at = quote + 2
    else {
      if (!isLenient && !closesLater(text, quote + 1, delimiter)) return bareCell(text, from, delimiter)
      isLenient = true
      at = quote + 1
    }
    value += '"'
  }
}

function bareCell(text: string, from: number, delimiter: string): { value: string; end: number } {
  let end = from
  while (end < text.length && text[end] !== delimiter && !isLineEnd(text[end])) end++
  return { value: text.slice(from, end), end }
}

/** Skips spaces, unless they separate cells. */
function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at++
  return at
}

/**
 * Whether a quoted cell with a quote inside, such as `"5" deep"`, ends on the same line. If not, it was no quoted cell:
 * `"Cozy" cottage,"near the park"`.
 */
function closesLater(text: string, from: number, delimiter: string): boolean {
  for (let at = from; at < text.length && !isLineEnd(text[at]); at++) {
    const next = text[at + 1]
    if (text[at] === delimiter && next === '"') return false
    if (text[at] === '"' && (next === undefined || next === delimiter || isLineEnd(next))) return true
  }
  return false
}
