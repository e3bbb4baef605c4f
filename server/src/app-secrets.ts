import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '#kernel/operator-error.ts'
import { type Config, minSecretLength } from './config.ts'

/** The application's secrets, newest first. The embedded default makes one the first time and keeps it beside the data. */
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

/** Complete before it has its name, so that no process reads half of it. If several are created at once, the first is kept. */
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
