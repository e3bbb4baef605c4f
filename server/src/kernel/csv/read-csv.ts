import { OperatorError } from '../operator-error.ts'
import { TooMuchWork, inThread } from '../threads/in-thread.ts'
import { declaredEncoding } from './decode.ts'
import type * as reader from './read-block.ts'
import type { BlockRead, ReadUpTo } from './read-block.ts'
import type { CsvRecord } from './split-records.ts'

export type { CsvRecord } from './split-records.ts'

const readBlock = inThread<typeof reader.readBlock>(import.meta.resolve('./read-block.ts'), 'readBlock')

/** Bytes that a thread reads at a time, if lines are shorter. */
const blockBytes = 262_144

/** A line may not be longer. */
const maxLineBytes = 4 * 1_048_576

/** A file cannot be read from this line on. */
class NotCsv extends OperatorError {
  readonly line: number

  constructor(line: number, message: string) {
    super(`Line ${line} is not CSV: ${message}.`)
    this.line = line
  }
}

export interface ReadCsvOptions {
  /** The encoding by its name on the web, such as `windows-1250`. Found from the bytes if it is omitted. */
  encoding?: string | undefined
}

/**
 * Reads a CSV file of any program: its encoding, its delimiter and its quotes are found from its contents. Returns the
 * records in batches, with the bytes read so far. Blank records are left out, and cells have no blanks around them. The
 * reading runs in a thread, with limits, block by block; a file may have any length. Throws `NotCsv`; the records
 * before that have been returned, unless they are in the same block.
 */
export async function* readCsv(
  chunks: AsyncIterable<Uint8Array>,
  { encoding }: ReadCsvOptions = {},
): AsyncGenerator<{ records: CsvRecord[]; read: number }> {
  let position: ReadUpTo = { encoding: encodingNamed(encoding), delimiter: null, line: 1, open: '' }
  let held = Buffer.alloc(0)
  let read = 0
  let isWide: boolean | undefined
  const next = async (bytes: Uint8Array, isLast: boolean) => {
    const result = await readWithin(bytes, position, isLast)
    if ('fault' in result) throw new NotCsv(result.fault.line, result.fault.message)
    position = result.position
    return { records: result.records, read }
  }
  for await (const chunk of chunks) {
    read += chunk.length
    held = Buffer.concat([held, chunk])
    if (held.length < blockBytes) continue
    isWide ??= (encoding ?? declaredEncoding(held) ?? '').toLowerCase().startsWith('utf-16')
    const end = endOfLines(held, isWide)
    if (end === 0) {
      if (held.length > maxLineBytes) throw new NotCsv(position.line, 'the line is longer than 4 MB')
      continue
    }
    const block = held.subarray(0, end)
    held = held.subarray(end)
    yield await next(block, false)
  }
  if (read > 0) yield await next(held, true)
}

async function readWithin(bytes: Uint8Array, position: ReadUpTo, isLast: boolean): Promise<BlockRead> {
  try {
    return await readBlock(bytes, position, isLast)
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    throw new NotCsv(position.line, 'it takes too much work to read')
  }
}

/** A line feed in both forms of UTF-16. */
const wideFeeds = new Set([0x00_0a, 0x0a_00])

/** The length of the lines that end in the bytes. Each encoding has its line feed where UTF-8 or UTF-16 has it. */
function endOfLines(bytes: Buffer, isWide: boolean): number {
  if (!isWide) {
    const feed = bytes.lastIndexOf(0x0a)
    // A CR at the very end may be the first half of a CR LF.
    return (feed >= 0 ? feed : bytes.lastIndexOf(0x0d, -2)) + 1
  }
  for (let at = bytes.length - (bytes.length % 2) - 2; at >= 0; at -= 2)
    if (wideFeeds.has(bytes.readUInt16LE(at))) return at + 2
  return 0
}

function encodingNamed(name: string | undefined): string | null {
  if (name === undefined) return null
  try {
    return new TextDecoder(name).encoding
  } catch (cause) {
    throw new OperatorError(`“${name}” is not a character encoding.`, { cause })
  }
}
