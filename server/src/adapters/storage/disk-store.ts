import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Clock } from '#kernel/clock.ts'
import { isId } from '#kernel/ids.ts'
import { OperatorError } from '#kernel/operator-error.ts'
import type { FilePlace, FileStore } from '../../modules/files/ports.ts'
import { removeLeftOvers, writeNewFile } from './write-file.ts'

/** Stores files in a folder as `<workspace>/<last two characters>/<file>`. Incomplete files are in `partial`. */
export function diskStore(folder: string, clock: Clock): FileStore {
  const partial = join(folder, 'partial')
  const pathOf = ({ workspaceId, fileId }: FilePlace) => {
    if (!isId(workspaceId) || !isId(fileId)) throw new Error('A file is found by ids.')
    return join(folder, workspaceId, fileId.slice(-2), fileId)
  }
  return {
    async check() {
      try {
        await mkdir(partial, { recursive: true, mode: 0o700 })
        await rm(await writeNewFile(partial, nothing()))
        await removeLeftOvers(partial, clock.now())
      } catch (error) {
        throw new OperatorError(
          `Cannot write files to ${folder} (${(error as NodeJS.ErrnoException).code}). Set DATA_DIR to a folder that the server may write to, or keep files in a bucket with S3_ENDPOINT.`,
          { cause: error },
        )
      }
    },
    async put(place, content) {
      const path = pathOf(place)
      const written = await writeNewFile(partial, content)
      const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await rename(written, path)
      await syncFolders(dirname(path), made === undefined ? dirname(path) : folder)
    },
    async get(place, range) {
      const stream = createReadStream(
        pathOf(place),
        range === undefined ? {} : { start: range.first, end: range.last },
      )
      try {
        await once(stream, 'open')
        return stream
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
    delete: (place) => rm(pathOf(place), { force: true }),
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}

/** Syncs folder entries to disk, from the inner folder up to the outer one. */
async function syncFolders(inner: string, outer: string): Promise<void> {
  for (let folder = inner; ; folder = dirname(folder)) {
    const handle = await open(folder)
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
    if (folder === outer) return
  }
}
