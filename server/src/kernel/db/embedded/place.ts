import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { run } from './run.ts'

/** Mode of a directory that any user may enter, whatever the umask. */
export const openDirectory = 0o755

/** The data directory must let PostgreSQL's account through to its own part, and need not let it list the rest. */
const throughDirectory = 0o711

/** Where what belongs into the clone goes when the account cannot reach it there. */
const base = '/var/lib/gable'

/** Makes the data directory, unless it exists: then its permissions are the operator's choice. */
export async function makeDataDir(dataDir: string, account: Account | undefined): Promise<void> {
  const made = await mkdir(dataDir, { recursive: true })
  if (made !== undefined) await chmod(dataDir, account === undefined ? 0o700 : throughDirectory)
}

/** Where a new cluster goes, relative to the data directory: into it, or elsewhere when the account cannot get there. */
export async function choosePlace(dataDir: string, id: string, account: Account | undefined): Promise<string> {
  if (account === undefined || (await canEnter(dataDir, account))) return 'postgres'
  const home = await reachableBase()
  if (await canEnter(home, account)) return join(home, id)
  throw new EmbeddedPostgresError(
    `PostgreSQL's user (id ${account.uid}) can reach neither ${dataDir} nor ${home}: set DATA_DIR to a directory that it can.`,
  )
}

/** Makes and names the directory outside of the clone that every account can reach. */
export async function reachableBase(): Promise<string> {
  await mkdir(base, { recursive: true })
  await chmod(base, openDirectory)
  return base
}

/** Asked by trying it as that account: modes, ACLs and mounts on the way all have their say. */
async function canEnter(directory: string, account: Account): Promise<boolean> {
  const { succeeded } = await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], account)
  return succeeded
}
