import { chown, readFile, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'

/** The system account that PostgreSQL runs under. */
export interface Account {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root: then the account `nobody`; undefined for any other user, who runs it himself. */
export async function unprivilegedAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const passwd = await readFile('/etc/passwd', 'utf8')
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody')
  if (fields === undefined) {
    throw new EmbeddedPostgresError(
      'PostgreSQL does not run as root and there is no user nobody: start Gable as another user, or set DATABASE_URL.',
    )
  }
  // macOS writes -2 for what the system calls expect as 4294967294.
  return { uid: Number(fields[2]) >>> 0, gid: Number(fields[3]) >>> 0 }
}

/** initdb looks its own user up by name, which fails in a container that was given a bare number as its user. */
export function assertNamedUser(): void {
  try {
    userInfo()
  } catch {
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot be set up by user id ${process.getuid?.()}, which has no entry in /etc/passwd: add one, or set DATABASE_URL.`,
    )
  }
}

/**
 * The account for an existing cluster, which only its owner may run. Files that belong to root, as after restoring
 * a copy, are given to the unprivileged account.
 */
export async function accountOfCluster(
  place: string,
  unprivileged: Account | undefined,
): Promise<Account | undefined> {
  const { uid, gid } = await stat(place)
  if (unprivileged === undefined) {
    if (uid === process.getuid?.()) return undefined
    throw new EmbeddedPostgresError(
      `The database in ${place} belongs to user id ${uid} and this is ${process.getuid?.()}: start Gable as the user who started it before.`,
    )
  }
  if (uid !== 0) return { uid, gid }
  await giveTo(unprivileged, place)
  return unprivileged
}

async function giveTo({ uid, gid }: Account, directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true }))
    await chown(join(directory, entry), uid, gid)
  await chown(directory, uid, gid)
}
