import { chmod, chown, mkdir, readFile, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Account, assertNamedUser, run } from './account.ts'
import { EmbeddedPostgresError, codeOf } from './error.ts'
import { reasonIn } from './server-log.ts'

/** The role that owns the cluster and the database. */
export const owner = 'gable'

const majorVersion = '18'

/** Whether there is a cluster. Throws if it has another major version. */
export async function clusterExists(place: string): Promise<boolean> {
  const version = await readFile(join(place, 'PG_VERSION'), 'utf8').catch((cause: unknown) => {
    if (codeOf(cause) === 'ENOENT') return undefined
    throw new EmbeddedPostgresError(
      `The database in ${place} cannot be read: run Gable as the user who ran it before.`,
      { cause },
    )
  })
  if (version === undefined || version.trim() === majorVersion) return version !== undefined
  throw new EmbeddedPostgresError(
    `The database in ${place} is of PostgreSQL ${version.trim()} and this Gable includes ${majorVersion}: dump and restore it.`,
  )
}

interface NewCluster {
  place: string
  password: string
  binaries: string
  account: Account | undefined
  /** Called when initdb runs. */
  onWaiting: () => void
}

/**
 * Creates a cluster in a draft directory and renames the directory when it is complete, so that an interrupted run
 * leaves nothing that looks like a cluster. The caller must hold the lock.
 */
export async function makeCluster({
  place,
  password,
  binaries,
  account,
  onWaiting,
}: NewCluster): Promise<void> {
  if (account === undefined) assertNamedUser()
  await removeDrafts(place)
  const draft = `${place}.draft-${process.pid}`
  const passwordFile = `${draft}.password`
  try {
    await mkdir(draft, { mode: 0o700 })
    await writeFile(passwordFile, password, { mode: 0o600 })
    if (account !== undefined)
      for (const made of [draft, passwordFile]) await chown(made, account.uid, account.gid)
    const made = runInitdb(draft, passwordFile, binaries, account)
    onWaiting()
    await made
    await chmod(draft, 0o700)
    await rename(draft, place)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

/**
 * Sorting and case mapping follow Unicode code points, the same on every system. Some functions still use lc_ctype:
 * with C, trigrams drop every non-ASCII letter, so C is the last choice.
 */
async function runInitdb(
  draft: string,
  passwordFile: string,
  binaries: string,
  account: Account | undefined,
) {
  const fixed = [
    '-D',
    draft,
    '-U',
    owner,
    '--pwfile',
    passwordFile,
    '--auth=scram-sha-256',
    '--data-checksums',
    '--encoding=UTF8',
  ]
  const locale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C', '--no-instructions']
  let complaint = ''
  for (const characters of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
    const outcome = await run(
      join(binaries, 'initdb'),
      [...fixed, ...locale, `--lc-ctype=${characters}`],
      account,
    )
    if (outcome.succeeded) return
    complaint = outcome.complaint
    if (!complaint.includes('invalid locale name')) break
  }
  throw new EmbeddedPostgresError(`The database could not be set up: ${reasonIn(complaint)}.`)
}

async function removeDrafts(place: string): Promise<void> {
  const draft = `${basename(place)}.draft-`
  for (const name of await readdir(dirname(place))) {
    if (!name.startsWith(draft)) continue
    // The initdb of a killed run may still be writing to it.
    await rm(join(dirname(place), name), { recursive: true, force: true, maxRetries: 10 })
  }
}
