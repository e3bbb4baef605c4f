import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@gable/postgres/start.ts'
import { migrate } from '@gable/server/src/kernel/migrate.ts'
import pg from 'pg'
import { load, signature } from './dataset/load.ts'
import type { Scale } from './dataset/sizes.ts'
import { progress } from './progress.ts'

/** Starts embedded PostgreSQL with its own data directory. */
export function startOwnServer() {
  const dataDir = fileURLToPath(new URL('../.data/bench', import.meta.url))
  return startEmbeddedPostgres({ dataDir, exclusive: true, log: progress })
}

/** The URL of another database on the same server. */
export function withDatabase(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** Creates an empty database with the current schema. Disposing of it drops the database. */
export async function emptyDatabase(
  serverUrl: string,
  database: string,
): Promise<{ url: string } & AsyncDisposable> {
  const drop = () =>
    connected(serverUrl, (client) => client.query(`drop database if exists ${database} with (force)`))
  await drop()
  await connected(serverUrl, (client) => client.query(`create database ${database}`))
  const url = withDatabase(serverUrl, database)
  await migrate(url)
  return { url, [Symbol.asyncDispose]: async () => void (await drop()) }
}

/** Creates the database, with all data and the current schema, unless it is already complete. Returns its URL. */
export async function prepareDatabase(serverUrl: string, scale: Scale, fresh: boolean): Promise<string> {
  const url = withDatabase(serverUrl, scale.database)
  const wanted = await signature(scale)
  if (!fresh && (await loadedSignature(serverUrl, scale.database)) === wanted) {
    progress(`${scale.database}: as loaded before`)
    return url
  }
  await connected(serverUrl, async (client) => {
    await client.query(`drop database if exists ${scale.database} with (force)`)
    await client.query(`create database ${scale.database}`)
  })
  await migrate(url)
  await connected(url, (client) => load(client, scale))
  progress(`${scale.database}: vacuum`)
  await connected(url, (client) => client.query('vacuum (freeze, analyze)'))
  // Must come last, so that a half-loaded database is never mistaken for a complete one.
  await connected(serverUrl, (client) => client.query(`comment on database ${scale.database} is '${wanted}'`))
  return url
}

async function loadedSignature(serverUrl: string, database: string): Promise<string | undefined> {
  return connected(serverUrl, async (client) => {
    const { rows } = await client.query<{ signature: string }>(
      "select shobj_description(oid, 'pg_database') as signature from pg_database where datname = $1",
      [database],
    )
    return rows[0]?.signature
  })
}

/** Runs `work` on a separate connection. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: 'gable bench' })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/**
 * Describes the server for the results page. Throws unless the user is a superuser: row-level security would apply to
 * anyone else, who could not load or compare data.
 */
export async function describeServer(url: string): Promise<string> {
  return connected(url, async (client) => {
    const { rows } = await client.query<{ superuser: boolean; version: string; buffers: string }>(`
      select rolsuper as superuser, current_setting('server_version') as version, current_setting('shared_buffers') as buffers
      from pg_roles where rolname = current_user`)
    if (rows[0]?.superuser !== true)
      throw new Error('The benchmark needs a superuser: it makes databases and loads data as their owner.')
    return `PostgreSQL ${rows[0].version.split(' ', 1)[0]}, shared_buffers ${rows[0].buffers}`
  })
}
