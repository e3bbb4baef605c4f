import { createReadStream } from 'node:fs'
import { appendFile, mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { StopJournal } from '../../modules/compliance/ports.ts'

/** The name of this machine, for files that each machine writes on its own. */
export const machineName = () => hostname().replaceAll(/[^\w.-]/g, '-')

/**
 * The journal of an installation as files in the folder of backups, which installations may share: one for each machine, and
 * beside it the time until which it is complete.
 */
export function stopJournal(
  folder: string,
  installationIds: () => Promise<readonly [string, ...string[]]>,
): StopJournal {
  const ending = '.stops.jsonl'
  const ownPath = async () => join(folder, `${(await installationIds())[0]}.${machineName()}${ending}`)
  const coveredPath = (file: string) => `${file}.covered`
  async function* linesOf(file: string) {
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity }))
      yield line
  }
  /** The files of all machines of this installation, and of the one that it is a copy of. */
  const filesIn = async (suffix: string) => {
    const begins = (await installationIds()).map((id) => `${id}.`)
    return (await readdir(folder).catch(nothingThere))
      .filter((name) => begins.some((begin) => name.startsWith(begin)) && name.endsWith(suffix))
      .map((name) => join(folder, name))
  }
  return {
    async *own() {
      const path = await ownPath()
      if ((await filesIn(ending)).includes(path)) yield* linesOf(path)
    },
    async *all() {
      for (const file of await filesIn(ending)) yield* linesOf(file)
    },
    async append(lines) {
      if (lines.length === 0) return
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // A line that a crash has cut off ends here.
      await appendFile(await ownPath(), `\n${lines.join('\n')}\n`, { mode: 0o600, flush: true })
    },
    async saveCovered(until) {
      const path = coveredPath(await ownPath())
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeFile(`${path}.new`, until.toISOString(), { mode: 0o600 })
      await rename(`${path}.new`, path)
    },
    findCovered: async () =>
      latest(await Promise.all((await filesIn(coveredPath(ending))).map((file) => readFile(file, 'utf8')))),
  }
}

/** The latest of these times; undefined without any. */
export function latest(texts: readonly string[]): Date | undefined {
  const last = Math.max(...texts.map((text) => Date.parse(text)).filter((time) => !Number.isNaN(time)))
  return Number.isFinite(last) ? new Date(last) : undefined
}

function nothingThere(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return []
  throw error
}
