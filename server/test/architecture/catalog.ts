import type pg from 'pg'

interface Table {
  name: string
  /** The table's comment: directory, queue, or tenant. */
  kind: string | null
  /** Row-level security is enabled and forced, with the policy `tenant`. */
  guarded: boolean
  triggers: string[]
  /** Identity columns, and columns whose default comes from a sequence. */
  counted: string[]
}

interface Key {
  name: string
  table: string
  columns: string[]
  /** For a foreign key. */
  references: { table: string; columns: string[] } | null
}

export interface Catalog {
  tables: Table[]
  /** Primary keys, unique indexes, and foreign keys. */
  keys: Key[]
  /** Names of all constraints. */
  constraints: string[]
  /**
   * Columns that must declare whether they are personal. Ids, times, numbers, booleans, and checked lists of values
   * need not.
   */
  columns: { name: string; comment: string | null }[]
  /** Functions that run with their owner's rights. */
  definers: { name: string; path: string | null; ofSuperuser: boolean; byAnyone: boolean }[]
}

/** Reads what the migrations created, without the migration runner's own table. */
export async function readCatalog(client: pg.Client): Promise<Catalog> {
  const many = async <Row extends pg.QueryResultRow>(text: string) => (await client.query<Row>(text)).rows
  const names = (array: string, table: string) =>
    `(select array_agg(coalesce(a.attname::text, '') order by place) from unnest(${array}) with ordinality as k (attnum, place)
      left join pg_attribute a on a.attrelid = ${table} and a.attnum = k.attnum)`
  const isOurs = (table: string) =>
    `${table} in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
      and relname <> 'migrations')`
  const tables = await many<Table>(
    `select relname as name, obj_description(oid, 'pg_class') as kind,
        relrowsecurity and relforcerowsecurity
          and exists (select from pg_policy where polrelid = c.oid and polname = 'tenant') as guarded,
        array(select tgname::text from pg_trigger where tgrelid = c.oid and not tgisinternal) as triggers,
        array(select a.attname::text from pg_attribute a left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
          where a.attrelid = c.oid and a.attnum > 0
            and (a.attidentity <> '' or pg_get_expr(d.adbin, d.adrelid) like 'nextval(%')) as counted
       from pg_class c where ${isOurs('c.oid')} order by 1`,
  )
  const indexes = await many<Key>(
    `select c.relname as name, i.indrelid::regclass::text as table, null as references,
        ${names('i.indkey::int2[]', 'i.indrelid')} as columns
       from pg_index i join pg_class c on c.oid = i.indexrelid where i.indisunique and ${isOurs('i.indrelid')} order by 1`,
  )
  const references = await many<Key>(
    `select conname as name, conrelid::regclass::text as table, ${names('conkey', 'conrelid')} as columns,
        json_build_object('table', confrelid::regclass::text, 'columns', ${names('confkey', 'confrelid')}) as references
       from pg_constraint where contype = 'f' and ${isOurs('conrelid')} order by 1`,
  )
  const constraints = await many<{ name: string }>(
    `select conname as name from pg_constraint where contype <> 't' and ${isOurs('conrelid')} order by 1`,
  )
  const columns = await many<Catalog['columns'][number]>(
    `select c.relname || '.' || attname as name, col_description(c.oid, attnum) as comment
     from pg_class c join pg_attribute a on attrelid = c.oid and attnum > 0 and not attisdropped
     where ${isOurs('c.oid')} and attname !~ '^id$|_id$'
       and atttypid <> all (array['bool', 'int2', 'int4', 'int8', 'timestamptz']::regtype[])
       and not exists (select from pg_constraint where conrelid = c.oid and contype = 'c' and conkey = array[attnum])
     order by 1`,
  )
  const definers = await many<Catalog['definers'][number]>(
    `select proname as name, (select option from unnest(proconfig) as option where option like 'search_path=%') as path,
       rolsuper as "ofSuperuser", has_function_privilege('public', p.oid, 'execute') as "byAnyone"
     from pg_proc p join pg_roles r on r.oid = proowner
     where prosecdef and pronamespace = 'public'::regnamespace order by 1`,
  )
  return {
    tables,
    keys: [...indexes, ...references],
    constraints: constraints.map(({ name }) => name),
    columns,
    definers,
  }
}

/** The forms that `mark_columns` in the first migration describes. */
const personal = /^(personal: erased|personal: kept, .+|not personal(: .+)?)$/

const kinds = new Set(['directory', 'queue', 'tenant'])

/**
 * Reports what would prevent distributing the tables by workspace, given the kind that each table's comment declares.
 * Also reports columns that do not declare whether they are personal, and functions that lend their owner's rights
 * without care.
 */
export function catalogIssues({ tables, keys, constraints, columns, definers }: Catalog): string[] {
  const kindOf = new Map(tables.map(({ name, kind }) => [name, kind ?? '']))
  const startsWithWorkspace = ([first]: string[]) => first === 'workspace_id'
  return [
    ...tables.flatMap(({ name, kind, guarded, triggers, counted }) => [
      ...(kinds.has(kind ?? '') ? [] : [`${name}: its comment is not directory, queue, or tenant`]),
      ...(guarded || kind === 'directory' || kind === null
        ? []
        : [`${name}: does not force row-level security with the policy tenant`]),
      ...(kind === 'tenant' ? triggers.map((trigger) => `${trigger}: a trigger on a tenant table`) : []),
      ...(kind === 'tenant'
        ? counted.map((column) => `${name}.${column}: is an identity or takes its default from a sequence`)
        : []),
    ]),
    ...keys.flatMap(({ name, table, columns: own, references }) => {
      const kind = kindOf.get(table)
      const other = references === null ? kind : kindOf.get(references.table)
      if (other !== kind)
        return [`${name}: a ${kind} table references ${references?.table}, a ${other} table`]
      if (kind !== 'tenant') return []
      if (references === null)
        return startsWithWorkspace(own) ? [] : [`${name}: does not begin with workspace_id`]
      return startsWithWorkspace(own) && startsWithWorkspace(references.columns)
        ? []
        : [`${name}: does not begin with workspace_id on both sides`]
    }),
    ...[...Map.groupBy(constraints, (name) => name)]
      .filter(([, same]) => same.length > 1)
      .map(([name, same]) => `${name}: the name of ${same.length} constraints`),
    ...constraints
      .filter((name) => /_\d+$/.test(name))
      .map((name) => `${name}: a name that ends like that of a shard`),
    ...columns
      .filter(({ comment }) => !personal.test(comment ?? ''))
      .map(({ name }) => `${name}: its comment does not say whether it is personal (see mark_columns)`),
    ...definers.flatMap(({ name, path, ofSuperuser, byAnyone }) => [
      // Otherwise the caller's search path would decide which tables the function uses.
      ...(path === null ? [`${name}: runs as its owner without a search_path of its own`] : []),
      ...(ofSuperuser ? [`${name}: runs as a superuser, whom no policy binds`] : []),
      ...(byAnyone ? [`${name}: runs as its owner for anyone who calls it`] : []),
    ]),
  ]
}
