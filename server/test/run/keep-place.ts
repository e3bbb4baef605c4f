import { once } from 'node:events'
import { chmod, glob, mkdtemp, readFile, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProcess, signal } from '@gable/postgres/processes.ts'
import { startEmbeddedPostgres } from '@gable/postgres/start.ts'
import pg from 'pg'

/** The resources of one test run. */
export interface Place {
  /** A superuser's URL: DATABASE_URL, or that of an embedded PostgreSQL. */
  serverUrl: string
  /** Prefix of the names of the run's databases. */
  prefix: string
  /** For temporary files. */
  directory: string
}

// A separate process, which signals to the run's process group do not reach. It keeps the place until its standard
// input ends. That happens when the run has ended, even if it was killed or could not write its results.
process.stdout.on('error', () => undefined)
await using kept = new AsyncDisposableStack()
const prefix = `gable_test_${process.pid}`
const directory = await mkdtemp(join(await roomyPlace(), 'gable-test-'))
kept.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5 }))
// PostgreSQL's user must be able to pass through it.
await chmod(directory, 0o711)
kept.defer(() => endPostgresIn(directory))
const foreign = process.env['DATABASE_URL']
const serverUrl = foreign ?? (await startPostgres(join(directory, 'data')))
// An embedded PostgreSQL's databases are removed with its files.
if (foreign !== undefined) kept.defer(dropDatabases)
// Tests connect very often. With one iteration, hashing the password is cheap.
else await ask(`set scram_iterations = 1; alter role gable password '${new URL(serverUrl).password}'`)
await ask(`create database ${prefix}_template`)
process.stdout.write(`${JSON.stringify({ serverUrl, prefix, directory } satisfies Place)}\n`)
await once(process.stdin.resume(), 'end')

/** In memory if there is room, because a database there does not wait for a disk. TMPDIR, if set, takes precedence. */
async function roomyPlace(): Promise<string> {
  const memory = '/dev/shm'
  const { bavail, bsize } = await statfs(memory).catch(() => ({ bavail: 0, bsize: 0 }))
  const room = Math.min(bavail * bsize, process.availableMemory())
  return process.env['TMPDIR'] === undefined && room >= 6 * 2 ** 30 ? memory : tmpdir()
}

async function startPostgres(dataDir: string): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir, exclusive: true })
  kept.defer(() => rm(postgres.place, { recursive: true, force: true, maxRetries: 5 }))
  // Otherwise it keeps running for connections that a test has left open.
  kept.defer(() => endPostgresIn(postgres.place))
  return kept.use(postgres).url
}

async function dropDatabases(): Promise<void> {
  for (const { datname } of await ask(
    `select datname from pg_database where starts_with(datname, '${prefix}_')`,
  ))
    await ask(`drop database ${datname} with (force)`)
}

async function ask(text: string): Promise<{ datname: string }[]> {
  const client = new pg.Client({ connectionString: serverUrl, application_name: 'gable tests' })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Stops every PostgreSQL whose files are in this directory: those that tests started and had no time to stop. */
async function endPostgresIn(place: string): Promise<void> {
  for await (const file of glob(join(place, '**', 'postmaster.pid'))) {
    const [pid] = (await readFile(file, 'utf8').catch(() => '')).split('\n')
    const postmaster = findProcess(Number(pid))
    if (postmaster?.title.includes(place) === true) signal(postmaster.pid, 'SIGQUIT')
  }
}
