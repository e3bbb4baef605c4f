import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LastSent, SentAttempt } from '../../modules/messages/ports.ts'

/** The file `last-sent` beside the data. */
export function lastSentFile(dataDir: string): LastSent {
  const path = join(dataDir, 'last-sent')
  async function write({ workspaceId, attemptId }: SentAttempt): Promise<void> {
    await mkdir(dataDir, { recursive: true })
    await writeFile(`${path}.new`, `${workspaceId} ${attemptId}\n`)
    await rename(`${path}.new`, path)
  }
  let saving = Promise.resolve()
  return {
    save(attempt) {
      saving = saving.catch(() => undefined).then(() => write(attempt))
      return saving
    },
    async find() {
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return ''
        throw error
      })
      const [, workspaceId, attemptId] = /^(c[a-z0-9]{24}) (c[a-z0-9]{24})\n$/.exec(text) ?? []
      return workspaceId === undefined || attemptId === undefined ? undefined : { workspaceId, attemptId }
    },
  }
}
