import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { inject } from 'vitest'

/** Runs one statement as the superuser, beyond every rule: for looking at what really is in the tables. */
export async function asOwner<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'gable tests' })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

let made: Promise<string> | undefined

/** URL of this worker's database, made when first asked for. Tests keep apart by their workspaces. */
export const workerDatabase = (): Promise<string> =>
  (made ??= freshDatabase(process.env['VITEST_POOL_ID'] ?? '0'))

/** URL of a migrated, empty database of this run. The first call for a name creates it. */
export async function freshDatabase(name: string): Promise<string> {
  const { serverUrl, template, prefix } = inject('databases')
  const url = new URL(serverUrl)
  url.pathname = `/${prefix}_${name}`
  try {
    await asOwner(serverUrl, `create database ${prefix}_${name} template ${template}`)
  } catch (error) {
    if ((error as pg.DatabaseError).code === '42P04') return url.href
    throw error
  }
  const command = process.env['TEST_DATABASE_COMMAND']
  if (command !== undefined) await promisify(execFile)('sh', ['-c', `${command} "$1"`, 'sh', url.href])
  return url.href
}

interface Watched {
  pool: pg.Pool
  text: string
}

const watched = new Map<string, Promise<Watched>>()

/**
 * A value for each table that differs after a commit that inserted, updated, or deleted rows, even if it wrote the values
 * that were there before: the number of rows and the sum of the ids of the transactions that wrote them. What every
 * request may write is left out: rates and times of last use; and sessions, since tests sign in as they go.
 */
export async function fingerprint(url: string): Promise<Record<string, string>> {
  let one = watched.get(url)
  if (one === undefined) watched.set(url, (one = watch(url)))
  const { pool, text } = await one
  const { rows } = await pool.query<{ name: string; mark: string }>(text)
  return Object.fromEntries(rows.map(({ name, mark }) => [name, mark]))
}

/** One connection per database, since tests compare fingerprints often. It holds up neither the worker nor a test. */
async function watch(url: string): Promise<Watched> {
  const pool = new pg.Pool({ connectionString: url, max: 1, allowExitOnIdle: true, idleTimeoutMillis: 5000 })
  // Tests end PostgreSQL and drop databases; the next fingerprint connects again.
  pool.on('error', () => undefined)
  const { rows } = await pool.query<{ part: string }>(
    `select format('select %L as name, %s as mark from %I t', relname,
       case when exists (select from pg_attribute where attrelid = c.oid and attname = 'last_used_at')
       then $$md5(coalesce(string_agg((to_jsonb(t) - 'last_used_at')::text, ' ' order by t), ''))$$
       else $$count(*) || ' ' || coalesce(sum(xmin::text::bigint), 0)$$ end, relname) as part
     from pg_class c
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('rate_windows', 'sessions') order by relname`,
  )
  return { pool, text: rows.map(({ part }) => part).join(' union all ') }
}
