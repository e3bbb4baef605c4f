import { chmod, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { EmbeddedPostgresError, codeOf } from './embedded-postgres-error.ts'
import { run } from './run.ts'

/** Mode of a directory that any user may enter, whatever the umask. */
export const openDirectory = 0o755

/** The data directory must let PostgreSQL's account through to its own part, and need not let it list the rest. */
const throughDirectory = 0o711

/** Where what belongs into the clone goes when the account cannot reach it there. */
const base = '/var/lib/gable'

/**
 * Makes the data directory, and lets the account through it. One that holds other things keeps its permissions: those
 * are the operator's choice.
 */
export async function makeDataDir(dataDir: string, account: Account | undefined): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true })
  await mkdir(dataDir, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST')
      throw new EmbeddedPostgresError(`The data directory ${dataDir} cannot be made (${codeOf(error)}).`)
  })
  if (account !== undefined && (await readdir(dataDir)).length === 0) await chmod(dataDir, throughDirectory)
}

/** Where a new cluster goes, relative to the data directory: into it, or elsewhere when the account cannot get there. */
export async function choosePlace(
  dataDir: string,
  id: string,
  account: Account | undefined,
): Promise<string> {
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
