import type pg from 'pg'

const isOurs = (oid: string) =>
  `${oid} in (select oid from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and relname <> 'migrations')`

/** Privileges by table and grantee. Column privileges list their columns. */
const rights = `
  select attrelid as of, 3 as part, grantee,
    lower(privilege_type) || ' (' || string_agg(attname, ', ' order by attnum) || ')' as privilege
  from pg_attribute, aclexplode(attacl) group by attrelid, grantee, privilege_type
  union all select oid, 3, grantee, lower(privilege_type) from pg_class, aclexplode(relacl) where grantee <> relowner`

/**
 * The lines of each table: columns, constraints, indexes, privileges, and policies, each in an order that no migration changes.
 */
const lines = `
  select attrelid as of, 0 as part, attnum as place, concat_ws(' ', attname, format_type(atttypid, atttypmod),
    case when attcollation not in (0, 100) then 'collate ' || attcollation::regcollation end,
    case when attnotnull then 'not null' end, 'default ' || pg_get_expr(adbin, adrelid),
    '-- ' || col_description(attrelid, attnum)) as line
  from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where attnum > 0 and not attisdropped
  union all
  select conrelid, 1, 0, conname || ' ' || pg_get_constraintdef(oid) from pg_constraint where contype in ('p', 'u', 'f', 'c')
  union all
  select indrelid, 2, 0, replace(pg_get_indexdef(indexrelid), ' ON public.' || indrelid::regclass || ' USING', '')
  from pg_index where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
  union all
  select of, part, 0, case grantee when 0 then 'public' else grantee::regrole::text end || ' may '
    || string_agg(privilege, ', ' order by privilege) from (${rights}) as rights group by of, part, grantee
  union all
  select tablename::regclass, 4, 0, concat_ws(' ', 'policy', policyname, 'as', lower(permissive), 'for', lower(cmd), 'to',
    array_to_string(roles, ', '), 'using (' || regexp_replace(qual, '\\s+', ' ', 'g') || ')',
    'with check (' || regexp_replace(with_check, '\\s+', ' ', 'g') || ')')
  from pg_policies where schemaname = 'public'`

/** A concise text of the tables and functions that the migrations created. */
export async function describeSchema(client: pg.Client): Promise<string> {
  const { rows: tables } = await client.query<{ head: string; lines: string[] }>(
    `select concat_ws(', ', relname || ': ' || obj_description(oid, 'pg_class'),
         case relpersistence when 'u' then 'unlogged' end, array_to_string(reloptions, ', ')) as head,
       (select array_agg(line order by part, place, line collate "C") from (${lines}) as lines where of = c.oid) as lines
     from pg_class c where ${isOurs('c.oid')} order by relname collate "C"`,
  )
  const { rows: functions } = await client.query<{ line: string }>(
    `select concat_ws(', ', oid::regprocedure, 'security ' || case when prosecdef then 'definer' else 'invoker' end,
         array_to_string(proconfig, ' '),
         case when proowner::regrole::text like 'gable\\_%' then 'owned by ' || proowner::regrole end, 'executed by ' || coalesce(nullif(array_to_string(array(
           select case grantee when 0 then 'public' else grantee::regrole::text end
           from aclexplode(coalesce(proacl, acldefault('f', proowner))) where grantee <> proowner order by 1), ', '), ''),
           'the owner')) as line
     from pg_proc p where pronamespace = 'public'::regnamespace
       and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
     order by proname collate "C"`,
  )
  const texts = tables.map((table) => [table.head, ...table.lines.map((line) => `  ${line}`)].join('\n'))
  return [...texts, ...functions.map(({ line }) => line)].join('\n\n') + '\n'
}
