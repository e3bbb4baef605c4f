import { createHash } from 'node:crypto'
import { readFile, readdir } from 'node:fs/promises'
import type pg from 'pg'
import { progress } from '../progress.ts'
import { lastNameElsewhere, lists, rareLastName } from './names.ts'
import { type Scale, workspaceSizes } from './sizes.ts'

const script = new URL('load.sql', import.meta.url)
const migrations = new URL('../../server/migrations/', import.meta.url)

/** Fills a freshly migrated database. `client` must belong to a superuser. */
export async function load(client: pg.Client, scale: Scale): Promise<void> {
  for (const [table, rows] of Object.entries(lists)) {
    await client.query(`create temp table ${table} (place integer, name text, folded text)`)
    await client.query(
      `insert into ${table} select place - 1, name, folded from unnest($1::text[], $2::text[]) with ordinality as l (name, folded, place)`,
      [rows.map((row) => row.name), rows.map((row) => row.folded)],
    )
  }
  await client.query('create temp table workspace_sizes (place integer, size integer)')
  await client.query(
    'insert into workspace_sizes select place - 1, size from unnest($1::integer[]) with ordinality as s (size, place)',
    [workspaceSizes(scale)],
  )
  await client.query("select set_config('bench.rare', $1, false), set_config('bench.elsewhere', $2, false)", [
    rareLastName,
    lastNameElsewhere,
  ])

  const indexes = await dropIndexes(client)
  progress(`${scale.database}: inserting ${scale.contacts} contacts and their events`)
  await client.query(await readFile(script, 'utf8'))
  for (const { name, definition } of indexes) {
    progress(`${scale.database}: building ${name}`)
    await client.query(definition)
  }
}

/** Building an index over all rows at once is many times faster than maintaining it through the inserts. */
async function dropIndexes(client: pg.Client): Promise<{ name: string; definition: string }[]> {
  const { rows } = await client.query<{ name: string; definition: string }>(`
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in ('contacts'::regclass, 'events'::regclass) and not indisprimary`)
  for (const { name } of rows) await client.query(`drop index ${name}`)
  return rows
}

/** Changes whenever anything changes that determines the contents of a loaded database. */
export async function signature(scale: Scale): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([scale, workspaceSizes(scale), lists]))
  hash.update(await readFile(script))
  for (const file of (await readdir(migrations)).sort())
    hash.update(await readFile(new URL(file, migrations)))
  return hash.digest('hex')
}
