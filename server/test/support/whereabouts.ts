import { asOwner } from './database.ts'

/** Names of the tables with a row whose text has one of the needles, whatever their case; bytes count as hex. */
export async function tablesWith(url: string, needles: readonly string[]): Promise<string[]> {
  const tables = await asOwner<{ name: string }>(
    url,
    "select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)",
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await asOwner(url, `select 1 from ${name} t where lower(t::text) like any ($1) limit 1`, [
      needles.map((needle) => `%${needle.toLowerCase()}%`),
    ])
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}
