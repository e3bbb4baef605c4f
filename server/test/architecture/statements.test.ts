import { expect, test } from 'vitest'
import { readSources } from './source.ts'
import { kindsOf, statementIssues } from './statements.ts'

const kinds = kindsOf([
  { name: 'contacts', kind: 'tenant' },
  { name: 'leads', kind: 'tenant' },
  { name: 'deliveries', kind: 'queue' },
  { name: 'workspaces', kind: 'directory' },
  { name: 'search_contacts', kind: 'tenant' },
  { name: 'to_jsonb', kind: 'unstable' },
])

test.for([
  'select id from contacts where workspace_id = $1 and id = $2',
  'select c.id from contacts c join leads l on l.workspace_id = $1 and l.contact_id = c.id where c.workspace_id = $2',
  'select (select min(l.id) from leads l where l.workspace_id = $1::text) from contacts where $2 = workspace_id',
  'with found as (select id from contacts where workspace_id = $1) select id from found',
  'select id from workspaces',
  'select d.id from deliveries d join webhooks w on w.id = d.webhook_id',
  'select id from search_contacts($1, $2)',
  'insert into contacts (workspace_id, id) values ($1, $2), ($3, $4)',
  'insert into contacts (id, workspace_id) select unnest($1::text[]), $2 on conflict do nothing',
  'insert into contacts (workspace_id, id) select workspace_id, contact_id from leads where workspace_id = $1',
  "update contacts set tags = tags || $1, due_at = $2::timestamptz + interval '1 day' where workspace_id = $3",
  'insert into contacts (workspace_id, id) values ($1, $2) on conflict (workspace_id, id) do update set id = excluded.id',
  'delete from contacts c using leads l where c.workspace_id = $1 and l.workspace_id = $2 and l.id = c.id',
])('accepts %s', async (text) => {
  expect(await statementIssues(text, kinds)).toEqual([])
})

const unbound = (table: string, alias = table) => `${table} as ${alias}: has no workspace_id = $n of its own`
const mixed = (one: string, other: string) => `mixes ${one} and ${other} tables`

test.for([
  ['select id from contacts', unbound('contacts')],
  ['select id from contacts where workspace_id = $1 or id = $2', unbound('contacts')],
  ['select id from contacts where workspace_id <> $1', unbound('contacts')],
  ['select id from contacts where workspace_id = id', unbound('contacts')],
  [
    'select 1 from contacts c join leads l on l.workspace_id = c.workspace_id where c.workspace_id = $1',
    unbound('leads', 'l'),
  ],
  ['select (select min(id) from leads) from contacts where workspace_id = $1', unbound('leads')],
  ['with l as (select id from leads) select 1 from l', unbound('leads')],
  ['select 1 from workspaces union all select 1 from leads', unbound('leads'), mixed('directory', 'tenant')],
  ['update contacts set id = $1 where id = $2', unbound('contacts')],
  ['delete from contacts using (select 1) x where id = $1', unbound('contacts')],
  ['insert into contacts (id) values ($1)', 'contacts: inserts without workspace_id as a parameter'],
  [
    'insert into contacts (workspace_id, id) values ($1, $2), (default, $3)',
    'contacts: inserts without workspace_id as a parameter',
  ],
  [
    'insert into contacts (workspace_id, id) select $1, unnest($2::text[])',
    'contacts: insert … select without returning or on conflict',
  ],
  [
    'insert into contacts (workspace_id, id) select lower($1), unnest($2::text[]) returning id',
    'contacts: inserts without workspace_id as a parameter',
  ],
  [
    'with recursive n as (select 1), gone as (delete from leads where workspace_id = $1) select 1 from n',
    'changes data in a CTE beside a recursive one',
  ],
  [
    'update contacts set notes = to_jsonb(tags) where workspace_id = $1',
    'calls to_jsonb on a column in an update',
  ],
  [
    'update contacts set due_at = (data ->> $1)::timestamptz where workspace_id = $2',
    'casts a column to timestamptz in an update',
  ],
  [
    "update contacts set due_at = due_at + interval '1 day' where workspace_id = $1",
    'adds an interval to a column in an update',
  ],
  [
    "update contacts set id = $1 where workspace_id = $2 and due_at < $3 - $4 * '1 s'::interval * attempts",
    'adds an interval to a column in an update',
  ],
  ['select 1 from deliveries d, contacts c where c.workspace_id = $1', mixed('queue', 'tenant')],
  ['select 1 from workspaces, search_contacts($1, $2)', mixed('directory', 'tenant')],
] as const)('reports %s', async ([text, ...issues]) => {
  expect(await statementIssues(text, kinds)).toEqual(issues)
})

test('only tests have statements marked as unchecked', async () => {
  expect(await statementIssues('select id /* unchecked */ from contacts', kinds)).toEqual([])
  const marked = readSources('server/src').filter(({ text }) => text.includes('unchecked */'))
  expect(marked.map(({ path }) => path).filter((path) => !path.endsWith('.test.ts'))).toEqual([])
})
