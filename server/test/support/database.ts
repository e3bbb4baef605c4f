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

/** URL of a migrated, empty database of this run under the name's own. */
export async function freshDatabase(name: string): Promise<string> {
  const { serverUrl, template, prefix } = inject('databases')
  try {
    await asOwner(serverUrl, `create database ${prefix}_${name} template ${template}`)
  } catch (error) {
    if ((error as pg.DatabaseError).code !== '42P04') throw error
  }
  const url = new URL(serverUrl)
  url.pathname = `/${prefix}_${name}`
  return url.href
}

/** A fingerprint of every row of every table, but for what reading leaves: rates and times of last use. */
export async function fingerprint(url: string): Promise<Record<string, string>> {
  const tables = await asOwner<{ name: string }>(
    url,
    "select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'rate_windows' order by 1",
  )
  const parts = tables.map(
    ({ name }) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(hash, '' order by hash)), '') as hash
       from (select md5((to_jsonb(t) - 'last_used_at')::text) as hash from ${name} t) rows`,
  )
  const rows = await asOwner<{ name: string; hash: string }>(url, parts.join(' union all '))
  return Object.fromEntries(rows.map(({ name, hash }) => [name, hash]))
}
