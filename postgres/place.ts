import { chmod, mkdir, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { run } from './account.ts'
import { EmbeddedPostgresError, codeOf } from './error.ts'

/** Mode of a directory that any user can enter, regardless of umask. */
export const openDirectory = 0o755

/** Lets PostgreSQL's account reach its files in the data directory without listing the other files. */
const throughDirectory = 0o711

/** Where to put files that the account cannot reach in the clone. */
const base = '/var/lib/gable'

/**
 * Creates the data directory and lets the account pass through it. A directory that already has files keeps its
 * permissions, which are the operator's choice.
 */
export async function makeDataDir(dataDir: string, account: Account | undefined): Promise<void> {
  await mkdir(dirname(dataDir), { recursive: true })
  await mkdir(dataDir, { mode: 0o700 }).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST')
      throw new EmbeddedPostgresError(`The data directory ${dataDir} cannot be created (${codeOf(error)}).`)
  })
  if (account !== undefined && (await readdir(dataDir)).length === 0) await chmod(dataDir, throughDirectory)
}

/**
 * The path for a new cluster: relative to the data directory, or absolute if the account cannot reach the data
 * directory.
 */
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

/** Creates the directory outside the clone that every account can reach. Returns its path. */
export async function reachableBase(): Promise<string> {
  await mkdir(base, { recursive: true })
  await chmod(base, openDirectory)
  return base
}

/** Tries to enter as the account, because modes, ACLs, and mounts along the path all matter. */
async function canEnter(directory: string, account: Account): Promise<boolean> {
  const { succeeded } = await run('/bin/sh', ['-c', 'cd "$1"', 'sh', directory], account)
  return succeeded
}
