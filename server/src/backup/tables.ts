import type pg from 'pg'

export interface BackedUpTable {
  schema: string
  table: string
  columns: string[]
  /** Whether its rows belong to workspaces, so that row-level security shows those of one at a time. */
  ofWorkspaces: boolean
}

/**
 * Quotes an identifier. PostgreSQL reports these names, or a backup does.
 */
export const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`

export const nameInSql = ({ schema, table }: Pick<BackedUpTable, 'schema' | 'table'>) =>
  `${identifier(schema)}.${identifier(table)}`

/**
 * The tables of Gable and of its job queue. Without unlogged tables, which a crash empties as well, and what a migration
 * records about itself.
 */
export async function listTables(client: pg.Client): Promise<BackedUpTable[]> {
  const { rows } = await client.query<BackedUpTable>(
    `select nspname::text as schema, relname::text as table, relforcerowsecurity as "ofWorkspaces",
       (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
     from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname in ('public', 'graphile_worker') and relkind = 'r' and relpersistence = 'p' and relname <> 'migrations'
     order by nspname desc, relname`,
  )
  return rows
}
