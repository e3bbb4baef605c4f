import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** Writes the content to a new file in the folder, and on to the disk. Returns its path; leaves nothing if the content fails. */
export async function writeNewFile(folder: string, content: AsyncIterable<Buffer>): Promise<string> {
  const path = join(folder, randomUUID())
  try {
    await pipeline(
      Readable.from(content, { objectMode: false }),
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    )
    return path
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}
