import { asOwner, workerDatabase } from './database.ts'

/** A test that searches everything needs a database that no other file writes to. */
async function requireOwnDatabase(url: string): Promise<void> {
  if (url === (await workerDatabase()))
    throw new Error('Other test files write to this database. Search one of your own: see freshDatabase.')
}

/** Names of the tables with a row whose text contains one of the needles. Ignores case; bytes are searched as hex. */
export async function tablesWith(url: string, needles: readonly string[]): Promise<string[]> {
  await requireOwnDatabase(url)
  const tables = await asOwner<{ part: string }>(
    url,
    `select format('select %L as name where exists (select from %s t where lower(t::text) like any ($1))', name, name) as part
     from (select oid::regclass::text as name from pg_class
       where relkind = 'r' and relnamespace in ('public'::regnamespace, 'graphile_worker'::regnamespace)) tables`,
  )
  const rows = await asOwner<{ name: string }>(url, tables.map(({ part }) => part).join(' union all '), [
    needles.map((needle) => `%${needle.toLowerCase()}%`),
  ])
  return rows.map(({ name }) => name).sort()
}

/** Columns declared `personal: erased` that are not empty in a row whose `erased_at` is set: `contacts.phone`. */
export async function columnsNotErased(url: string): Promise<string[]> {
  await requireOwnDatabase(url)
  const columns = await asOwner<{ part: string }>(
    url,
    `select format('select %L as name from %I where erased_at is not null and %I::text not in (%L, %L, %L)',
       c.relname || '.' || a.attname, c.relname, a.attname, '', '{}', '[]') as part
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and col_description(c.oid, a.attnum) = 'personal: erased'
       and exists (select from pg_attribute where attrelid = c.oid and attname = 'erased_at')`,
  )
  const rows = await asOwner<{ name: string }>(url, columns.map(({ part }) => part).join(' union '))
  return rows.map(({ name }) => name)
}
