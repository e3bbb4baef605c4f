import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error.ts'
import { type Config, minSecretLength } from './config.ts'

/**
 * The application's secrets, newest first. With the embedded database and no configured secret, creates one on the
 * first run and stores it in the data directory.
 */
export const appSecretsOf = async ({ appSecrets, databaseUrl, dataDir }: Config): Promise<string[]> =>
  appSecrets.length > 0 || databaseUrl !== undefined ? appSecrets : [await ownSecret(dataDir)]

async function ownSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'app-secret')
  const secret = (await readIfThere(file)) ?? (await makeSecret(dataDir, file))
  if (secret.length >= minSecretLength) return secret
  throw new OperatorError(
    `${file} should hold a secret of at least ${minSecretLength} characters. What it sealed cannot be read without it: restore it, or remove the file to begin with a new one.`,
  )
}

const readIfThere = (file: string) =>
  readFile(file, 'utf8').then(
    (text) => text.trim(),
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined
      throw error
    },
  )

/**
 * The file gets its name only when it is complete, so that no process reads half of it. If several processes create
 * it at once, the first file is kept.
 */
async function makeSecret(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const draft = `${file}.${randomUUID()}`
  try {
    const handle = await open(draft, 'wx', 0o600)
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`)
    await handle.sync()
    await handle.close()
    await link(draft, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(draft, { force: true })
  }
  return (await readFile(file, 'utf8')).trim()
}
