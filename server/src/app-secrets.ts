import { randomBytes } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from './config.ts'

/** The application's secrets, newest first. The embedded default makes one the first time and keeps it beside the data. */
export const appSecretsOf = async ({ appSecrets, databaseUrl, dataDir }: Config): Promise<string[]> =>
  appSecrets.length > 0 || databaseUrl !== undefined ? appSecrets : [await ownSecret(dataDir)]

async function ownSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-secret')
  const secret = randomBytes(32).toString('hex')
  await mkdir(dataDir, { recursive: true })
  // Of several that start at once, the first one's counts.
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  return (await readFile(file, 'utf8')).trim()
}
