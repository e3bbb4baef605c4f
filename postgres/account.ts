import { spawn } from 'node:child_process'
import { chown, readFile, readdir, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { EmbeddedPostgresError } from './error.ts'

/** The system account under which PostgreSQL runs. */
export interface Account {
  uid: number
  gid: number
}

/** PostgreSQL does not run as root. Returns the account `nobody` for a process of root, and undefined for any other. */
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
  // macOS writes -2 where system calls expect 4294967294.
  return { uid: Number(fields[2]) >>> 0, gid: Number(fields[3]) >>> 0 }
}

/**
 * Throws if the current user has no name: initdb looks up its own user by name, which fails in a container whose user
 * is just a number.
 */
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
 * The account for an existing cluster, which only its owner can run. If root owns the files, for example after
 * restoring a copy, makes the unprivileged account their owner.
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

/** A fixed environment: the operator's locale, time zone, and PG* variables would change PostgreSQL's behavior. */
export const cleanEnvironment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

export interface Outcome {
  succeeded: boolean
  /** Standard error, or why the program could not start. */
  complaint: string
}

/** Runs a program, as another account if one is given, and waits for it to exit. */
export function run(command: string, args: string[], account: Account | undefined): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      ...account,
      cwd: '/',
      env: cleanEnvironment,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let complaint = ''
    child.stderr
      .setEncoding('utf8')
      .on('data', (text: string) => (complaint = (complaint + text).slice(-4000)))
    child.on('error', (error) => resolve({ succeeded: false, complaint: error.message }))
    child.on('close', (status) => resolve({ succeeded: status === 0, complaint: complaint.trim() }))
  })
}
