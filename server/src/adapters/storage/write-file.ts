import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/**
 * Writes the content to a new file in the folder, flushes it to disk, and returns its path. Leaves no file behind on
 * failure.
 */
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

/** A file this old was left behind by a process that has ended. */
const leftOverMs = 24 * 3_600_000

/** Deletes unfinished files that no process will complete. */
export async function removeLeftOvers(folder: string, now: Date): Promise<void> {
  const before = now.getTime() - leftOverMs
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // Another process may have finished or deleted it.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: before }))
    if (mtimeMs < before) await rm(path, { force: true })
  }
}
