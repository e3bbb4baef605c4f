import { createReadStream } from 'node:fs'
import { appendFile, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { StopJournal } from '../../modules/compliance/ports.ts'

const ending = '.stops.jsonl'

/**
 * The journal as files in the folder of backups: one for each machine, so that machines may share the folder, and beside it the
 * time until which it is complete.
 */
export function stopJournal(folder: string): StopJournal {
  const path = join(folder, `${hostname().replaceAll(/[^\w.-]/g, '-')}${ending}`)
  const coveredPath = (file: string) => `${file}.covered`
  async function* linesOf(file: string) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
      yield line
  }
  const filesIn = async (suffix: string) =>
    (await readdir(folder).catch(nothingThere))
      .filter((name) => name.endsWith(suffix))
      .map((name) => join(folder, name))
  return {
    async *own() {
      if ((await filesIn(ending)).includes(path)) yield* linesOf(path)
    },
    async *all() {
      for (const file of await filesIn(ending)) yield* linesOf(file)
    },
    async append(lines) {
      if (lines.length === 0) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // A line that a crash has cut off ends here.
      await appendFile(path, `\n${lines.join('\n')}\n`, { mode: 0o600, flush: true })
    },
    async saveCovered(until) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${coveredPath(path)}.new`, until.toISOString(), { mode: 0o600 })
      await rename(`${coveredPath(path)}.new`, coveredPath(path))
    },
    async findCovered() {
      const times = await Promise.all(
        (await filesIn(coveredPath(ending))).map(async (file) => Date.parse(await readFile(file, 'utf8'))),
      )
      const last = Math.max(...times.filter((time) => !Number.isNaN(time)))
      return Number.isFinite(last) ? new Date(last) : undefined
    },
  }
}

function nothingThere(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
