import { linesIn } from './decode.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** More than one record needs, even with remarks and photos. In characters. */
const maxRecord = 1_048_576

export interface CsvRecord {
  /** The line on which it starts. */
  line: number
  cells: string[]
}

export interface SplitRecords {
  records: CsvRecord[]
  /** The text of a record that has no end yet, and the line on which it starts. */
  rest: string
  line: number
  /** How many cells a record has: as many as the first one with several. Null before that one. */
  width: number | null
}

/**
 * Splits text into records (RFC 4180), and reads what programs write beside it: any line end, blanks around quotes, and
 * quotes within a cell, quoted or not. An inch mark before the quote that closes a cell, `"6'2""`, would make the cell
 * swallow the rows after it: where a line by itself has as many cells as the others, it is a record. At the end of a
 * file, a record needs no line end. Linear in the length of the text.
 */
export function splitRecords(
  text: string,
  delimiter: string,
  firstLine: number,
  isLast: boolean,
  knownWidth: number | null = null,
): SplitRecords {
  const records: CsvRecord[] = []
  let width = knownWidth
  let start = 0
  let line = firstLine
  while (start < text.length) {
    const found = readLine(text, start, { delimiter, width, isLast }) ?? readRecord(text, start, delimiter)
    if ('openCell' in found) {
      if (isLast)
        throw new UnreadableFile(
          line + linesIn(text.slice(start, found.openAt)),
          `the quote that opens a cell is never closed (column ${found.openCell})`,
        )
      break
    }
    if (found.end >= text.length && !isLast) break
    const end = afterLineEnd(text, found.end)
    records.push({ line, cells: found.cells })
    if (width === null && found.cells.length > 1) width = found.cells.length
    line += linesIn(text.slice(start, end))
    start = end
  }
  const rest = text.slice(start)
  if (rest.length > maxRecord)
    throw new UnreadableFile(line, 'the record is longer than a megabyte: is a quote never closed?')
  return { records, rest, line, width }
}

interface Splitting {
  delimiter: string
  width: number | null
  isLast: boolean
}

/** The cells of a record, and the position of its line end. */
interface Read {
  cells: string[]
  end: number
  /** Whether every quote is where RFC 4180 has it. */
  isStrict: boolean
}

/** A record that has no end in the text. */
interface Open {
  openCell: number
  openAt: number
}

/**
 * Reads one line as a record, if it certainly is one: all quoted cells end on it, and if its quotes are not those of RFC
 * 4180, it has as many cells as the other records, and reading on makes no sense.
 */
function readLine(
  text: string,
  start: number,
  { delimiter, width, isLast }: Splitting,
): Pick<Read, 'cells' | 'end'> | undefined {
  const end = endOfLine(text, start)
  const line = text.slice(start, end)
  const fits = (read: Read | Open): read is Read => !isOpen(read) && read.cells.length === width
  const plain = readRecord(line, 0, delimiter)
  if (!isOpen(plain)) {
    if (width === null || fits(plain) || isStrict(readRecord(line, 0, delimiter, 'strict')))
      return { ...plain, end }
    const other = [readRecord(line, 0, delimiter, 'marks'), readBare(line, delimiter)].find(fits)
    return { cells: (other ?? plain).cells, end }
  }
  if (width === null) return undefined
  const marked = readRecord(line, 0, delimiter, 'marks')
  const found = [marked, readBare(line, delimiter)].find(fits)
  if (found === undefined) return undefined
  const whole = readRecord(text, start, delimiter, 'strict')
  // A quote that is never closed has no certain end, unless a mark is before the quote that closes its cell.
  if (isOpen(whole))
    return found === marked && (isLast || text.length - start > maxRecord) ? { ...found, end } : undefined
  if (!isStrict(whole)) return { ...found, end }
  // Both readings make sense. It is inches if the lines are records by themselves.
  const next = afterLineEnd(text, end)
  const lines = fits(whole) ? [line, text.slice(next, endOfLine(text, next))] : [line]
  return lines.every((one) => fits(readRecord(one, 0, delimiter, 'inches'))) ? { ...found, end } : undefined
}

const isOpen = (read: Read | Open): read is Open => 'openCell' in read
const isStrict = (read: Read | Open) => !isOpen(read) && read.isStrict

/** The position after a line end, which may be CR LF. */
const afterLineEnd = (text: string, end: number) =>
  end + (text[end] === '\r' && text[end + 1] === '\n' ? 2 : 1)

const isLineEnd = (char: string | undefined) => char === '\n' || char === '\r'

function endOfLine(text: string, from: number): number {
  let at = from
  while (at < text.length && !isLineEnd(text[at])) at++
  return at
}

/** Cells without regard to quotes. */
const readBare = (line: string, delimiter: string): Read => ({
  cells: line.split(delimiter),
  end: line.length,
  isStrict: false,
})

/**
 * How quotes are read. `lenient`: also quotes within a quoted cell. `marks`: also a quote that belongs to the text before
 * the one that closes the cell; `inches`: only after a number. `strict`: up to the first quote that is not where RFC 4180
 * has it.
 */
type Reading = 'lenient' | 'marks' | 'inches' | 'strict'

function readRecord(
  text: string,
  start: number,
  delimiter: string,
  reading: Reading = 'lenient',
): Read | Open {
  const cells: string[] = []
  let at = start
  for (;;) {
    const cell = readCell(text, at, delimiter, reading)
    if (cell === undefined) return { openCell: cells.length + 1, openAt: at }
    if (cell === 'stray') return { cells, end: at, isStrict: false }
    cells.push(cell.value)
    if (cell.end >= text.length || text[cell.end] !== delimiter)
      return { cells, end: cell.end, isStrict: true }
    at = cell.end + 1
  }
}

interface Cell {
  value: string
  /** The position of the delimiter or line end after it, or of the end of the text. */
  end: number
}

/** Reads the cell that begins at the position. Undefined if its quote is never closed. */
function readCell(
  text: string,
  from: number,
  delimiter: string,
  reading: Reading,
): Cell | 'stray' | undefined {
  let at = skipBlanks(text, from, delimiter)
  if (text[at] !== '"') return bareCell(text, from, delimiter)
  at++
  let value = ''
  let isLenient = false
  const ends = (position: number) => {
    const next = skipBlanks(text, position, delimiter)
    return next >= text.length || text[next] === delimiter || isLineEnd(text[next]) ? next : undefined
  }
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) return undefined
    value += text.slice(at, quote)
    const end = ends(quote + 1)
    if (end !== undefined) return { value, end }
    if (text[quote + 1] === '"') {
      const isMark =
        reading === 'marks' ? value !== '' : reading === 'inches' && /[\d¼½¾]$/.test(value.slice(-1))
      const marked = isMark ? ends(quote + 2) : undefined
      if (marked !== undefined) return { value: `${value}"`, end: marked }
      at = quote + 2
    } else if (reading === 'strict') return 'stray'
    else {
      if (!isLenient && !closesLater(text, quote + 1, delimiter)) return bareCell(text, from, delimiter)
      isLenient = true
      at = quote + 1
    }
    value += '"'
  }
}

function bareCell(text: string, from: number, delimiter: string): Cell {
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
