import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, inject } from 'vitest'

/** Counts everything that may write: statements of tests, new clients, and their requests. */
let uses = 0
export const mayWrite = (): void => void uses++

/** Runs one statement as the superuser, unaffected by row-level security, to see what is really in the tables. */
export async function asOwner<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  mayWrite()
  const client = await poolOf(url).connect()
  try {
    const { rows } = await client.query<Row>(text, values)
    client.release()
    return rows
  } catch (error) {
    // Close the connection, and with it whatever the failed statement left open.
    client.release(true)
    throw error
  }
}

const pools = new Map<string, pg.Pool>()

/** Tests query their database often, and a new connection costs more than most statements. */
function poolOf(url: string): pg.Pool {
  const pool = pools.get(url) ?? lastingPool(url, 4)
  pools.set(url, pool)
  return pool
}

/** Closes the connections of a test file: all but those to the worker's database. */
export async function closePools(): Promise<void> {
  for (const [url, pool] of pools)
    if (!isWorkerDatabase(url)) {
      pools.delete(url)
      await pool.end()
    }
}

/** A pool whose connections block neither the worker's exit nor a test that stops PostgreSQL or drops a database. */
function lastingPool(url: string, max: number): pg.Pool {
  const options = { connectionString: url, application_name: 'gable tests', max }
  const pool = new pg.Pool({ ...options, allowExitOnIdle: true, idleTimeoutMillis: 30_000 })
  pool.on('error', () => undefined)
  return pool
}

let made: Promise<string> | undefined
let workers: string | undefined

export const isWorkerDatabase = (url: string): boolean => url === workers

/** The URL of this worker's database, which is created on first use. Tests are separated by their workspaces. */
export const workerDatabase = (): Promise<string> => (made ??= makeWorkerDatabase())

const makeWorkerDatabase = async () => (workers = await freshDatabase(process.env['VITEST_POOL_ID'] ?? '0'))

/** The URL of a migrated, empty database of this run. The first call with a name creates the database. */
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

/** The last fingerprint, and how many uses there had been by then. */
let last: { place: string; uses: number; mark: Record<string, string> } | undefined

/** By database and test file: transactions with this id or a later one may have written what the file compares. */
const beginnings = new Map<string, string>()

/**
 * A value for each table that changes after any commit that inserted, updated, or deleted rows, even if an update
 * wrote the same values: the number of rows, and the sum of the ids of this test file's transactions that wrote them.
 * Excludes what any request may write: rate counters, times of last use, and sessions, because tests sign in as they
 * go.
 */
export async function fingerprint(url: string): Promise<Record<string, string>> {
  let one = watched.get(url)
  if (one === undefined) watched.set(url, (one = watch(url)))
  const { pool, text } = await one
  const place = placeOf(url)
  const begin = beginnings.get(place) ?? (await nextTransaction(pool))
  beginnings.set(place, begin)
  const by = uses
  // A prepared statement is planned only once.
  const { rows } = await pool.query<{ name: string; mark: string }>({
    name: 'fingerprint',
    text,
    values: [begin],
  })
  const mark = Object.fromEntries(rows.map((row) => [row.name, row.mark]))
  last = { place, uses: by, mark }
  return mark
}

/**
 * The fingerprint before something that must write nothing: the last one, if no client of a test has written since,
 * because taking one costs as much as a dozen requests. If something else has, the comparison fails.
 */
export const fingerprintBefore = async (url: string): Promise<Record<string, string>> =>
  last?.place === placeOf(url) && last.uses === uses ? last.mark : fingerprint(url)

const placeOf = (url: string) => `${url} ${expect.getState().testPath}`

async function nextTransaction(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'select pg_snapshot_xmin(pg_current_snapshot())::xid::text as id',
  )
  return rows[0]?.id ?? ''
}

/** Prepares to watch a database over one connection, because tests compare fingerprints often. */
async function watch(url: string): Promise<Watched> {
  const pool = lastingPool(url, 1)
  const { rows } = await pool.query<{ part: string }>(
    `select format('select %L as name, count(*) || $$ $$ || coalesce(%s, 0) as mark from %I t', relname,
       case when bool_or(attname = 'last_used_at')
       then format('sum(hash_record_extended(row(%s), 0))',
         string_agg(format('t.%I', attname), ', ') filter (where attname <> 'last_used_at'))
       else 'sum(xmin::text::bigint) filter (where age(xmin) <= age($1::xid))' end, relname) as part
     from pg_class c join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relname not in ('rate_windows', 'sessions')
     group by relname order by relname`,
  )
  return { pool, text: rows.map(({ part }) => part).join(' union all ') }
}
