import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { finished } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { OperatorError } from '#kernel/operator-error.ts'

/**
 * A backup is a gzip stream: a line that names the format, then parts. A part is a line of JSON and its content in pieces: the
 * length in four bytes, the bytes; a length of 0 ends the content. The part `end` is the last one.
 */
const firstLine = 'Gable backup 1'

export interface Header {
  part: 'header'
  /** When its snapshot was taken, in ISO 8601. */
  taken_at: string
  /** The migrations of the database, in order. */
  migrations: string[]
  /** See `secretCheck`. */
  secret_check: string
  /** Whether files are in a bucket. Then the backup only lists them. */
  bucket: boolean
}

export type BackupPart =
  | Header
  | { part: 'table'; schema: string; table: string; columns: string[] }
  | { part: 'file'; workspace: string; file: string; size: number; sha256: string }
  | { part: 'end'; rows: number; files: number }

export interface BackupWriter {
  begin(part: BackupPart): Promise<void>
  write(chunk: Buffer): Promise<void>
  /** Ends the content of a part. */
  close(): Promise<void>
  /** The file gets its name only now, when all of it is on disk. Returns its size in bytes. */
  finish(): Promise<number>
  /** Removes what was written. */
  discard(): Promise<void>
}

/** Opens a new file that only its owner may read. Throws `OperatorError` if there is one of that name. */
export async function openWriter(path: string): Promise<BackupWriter> {
  if (
    await stat(path).then(
      () => true,
      () => false,
    )
  )
    throw new OperatorError(`${path} exists already.`)
  const partial = `${path}.partial`
  await rm(partial, { force: true })
  const file = createWriteStream(partial, { flags: 'wx', mode: 0o600, flush: true })
  await once(file, 'open').catch((cause: NodeJS.ErrnoException) => {
    throw new OperatorError(`Cannot write ${path} (${cause.code}).`, { cause })
  })
  // The quickest level: the content is mostly text, and a backup should not take long.
  const zip = createGzip({ level: 1 })
  const written = finished(zip.pipe(file))
  written.catch(() => undefined)
  // A full disk ends the file, and then nothing drains.
  file.on('error', (error) => zip.destroy(error))
  const put = async (bytes: Buffer) => {
    if (!zip.write(bytes)) await Promise.race([once(zip, 'drain'), written])
  }
  await put(Buffer.from(`${firstLine}\n`))
  return {
    begin: (part) => put(Buffer.from(`${JSON.stringify(part)}\n`)),
    write: (chunk) =>
      chunk.length === 0 ? Promise.resolve() : put(Buffer.concat([lengthOf(chunk.length), chunk])),
    close: () => put(lengthOf(0)),
    async finish() {
      zip.end()
      await written
      await rename(partial, path)
      return (await stat(path)).size
    },
    async discard() {
      zip.destroy()
      file.destroy()
      await rm(partial, { force: true })
    },
  }
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(length)
  return bytes
}

export interface BackupReader {
  /** The next part. Read or skip the content of the last one first. */
  next(): Promise<BackupPart>
  content(): AsyncGenerator<Buffer>
}

const incomplete = (path: string, cause?: unknown) =>
  new OperatorError(`${path} is not a complete backup of Gable.`, { cause })

/** No line of a part is longer. */
const maxLine = 1_000_000

/** Reads a backup as a stream. Throws `OperatorError` for anything else, and for one that ends early. */
export async function openReader(path: string): Promise<BackupReader> {
  const file = createReadStream(path)
  await once(file, 'open').catch((cause: NodeJS.ErrnoException) => {
    throw new OperatorError(`Cannot read ${path} (${cause.code}).`, { cause })
  })
  const unzip = createGunzip()
  file.on('error', (error) => unzip.destroy(error))
  const chunks = file.pipe(unzip)[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let rest: Buffer = Buffer.alloc(0)

  async function more(): Promise<void> {
    const { value, done } = await chunks.next().catch((cause: unknown) => {
      throw incomplete(path, cause)
    })
    if (done === true) throw incomplete(path)
    rest = rest.length === 0 ? value : Buffer.concat([rest, value])
  }
  async function line(): Promise<string> {
    let at = rest.indexOf(10)
    while (at < 0) {
      if (rest.length > maxLine) throw incomplete(path)
      await more()
      at = rest.indexOf(10)
    }
    const text = rest.toString('utf8', 0, at)
    rest = rest.subarray(at + 1)
    return text
  }
  async function bytes(count: number): Promise<Buffer> {
    while (rest.length < count) await more()
    const found = rest.subarray(0, count)
    rest = rest.subarray(count)
    return found
  }

  if ((await line()) !== firstLine) throw incomplete(path)
  return {
    async next() {
      const text = await line()
      try {
        return JSON.parse(text) as BackupPart
      } catch (cause) {
        throw incomplete(path, cause)
      }
    },
    async *content() {
      for (let length; (length = (await bytes(4)).readUInt32BE()) > 0;) yield await bytes(length)
    },
  }
}
