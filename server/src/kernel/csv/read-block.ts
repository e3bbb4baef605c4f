import { cellText } from './cells.ts'
import { declaredEncoding, decode, linesIn, requireCsv } from './decode.ts'
import { findDelimiter } from './find-delimiter.ts'
import { type CsvRecord, splitRecords } from './split-records.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** How far a file is read. */
export interface ReadUpTo {
  encoding: string | null
  delimiter: string | null
  /** The line on which `open` starts. */
  line: number
  /** The beginning of a record whose end is not read yet. */
  open: string
  /** How many cells a record has; null or omitted before that is known. */
  width?: number | null
}

export type BlockRead =
  | { records: CsvRecord[]; position: ReadUpTo }
  | { records: CsvRecord[]; fault: { line: number; message: string } }

/** Reads a block of complete lines of a file, in a thread. Returns the records that end in it. */
export function readBlock(bytes: Uint8Array, position: ReadUpTo, isLast: boolean): BlockRead {
  try {
    return read(bytes, position, isLast)
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { records: [], fault: { line: error.line, message: error.message } }
  }
}

function read(bytes: Uint8Array, { open, ...before }: ReadUpTo, isLast: boolean): BlockRead {
  const isFirst = before.delimiter === null
  if (isFirst) requireCsv(bytes)
  const known = before.encoding ?? (isFirst ? (declaredEncoding(bytes) ?? null) : null)
  const { text: decoded, encoding } = decode(bytes, known, before.line + linesIn(open))
  const text = isFirst ? decoded.replace(/^\uFEFF/, '') : decoded
  const { delimiter, skip } =
    before.delimiter === null ? findDelimiter(text) : { delimiter: before.delimiter, skip: 0 }
  const first = before.line + (skip > 0 ? 1 : 0)
  const { records, rest, line, width } = splitRecords(
    open + text.slice(skip),
    delimiter,
    first,
    isLast,
    before.width,
  )
  return {
    records: records
      .map((record) => ({ line: record.line, cells: record.cells.map(cellText) }))
      .filter(({ cells }) => cells.some((cell) => cell !== '')),
    position: { encoding, delimiter, line, open: rest, width },
  }
}
