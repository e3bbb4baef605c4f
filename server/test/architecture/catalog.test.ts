import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { catalogIssues, readCatalog } from './catalog.ts'

let client: pg.Client

beforeAll(async () => {
  client = new pg.Client({ connectionString: await freshDatabase('catalog') })
  await client.connect()
})
afterAll(() => client.end())

test('every table follows the rules of its kind, and every column is marked as personal or not', async () => {
  expect(catalogIssues(await readCatalog(client))).toEqual([])
})

const tenantTable =
  'create table parcels (workspace_id text not null, id text not null, primary key (workspace_id, id))'
const lending = `grant create on schema public to gable_search;
  create function list_parcels() returns integer language sql as 'select 1' security definer`
const made = `${tenantTable}; select make_tenant_table('parcels')`

test.for([
  ['no_kind', tenantTable, 'parcels: its comment is not directory, queue, or tenant'],
  ['sound', made, undefined],
  [
    'key',
    "create table parcels (id text primary key, workspace_id text not null); select make_tenant_table('parcels')",
    'parcels_pkey: does not begin with workspace_id',
  ],
  [
    'unique',
    `${made}; create unique index parcels_id on parcels (id)`,
    'parcels_id: does not begin with workspace_id',
  ],
  [
    'reference',
    `${made}; alter table parcels add column contact_id text,
     add constraint parcels_contact foreign key (contact_id, workspace_id) references contacts (id, workspace_id)`,
    'parcels_contact: does not begin with workspace_id on both sides',
  ],
  [
    'mixed',
    `${made}; alter table parcels add constraint parcels_workspace foreign key (workspace_id) references workspaces (id)`,
    'parcels_workspace: a tenant table references workspaces, a directory table',
  ],
  [
    'identity',
    `${made}; alter table parcels add column place bigint generated always as identity`,
    'parcels.place: is an identity or takes its default from a sequence',
  ],
  [
    'trigger',
    `${made}; create function keep() returns trigger language plpgsql as 'begin return new; end';
     create trigger parcels_keep before update on parcels for each row execute function keep()`,
    'parcels_keep: a trigger on a tenant table',
  ],
  [
    'open',
    `${made}; alter table parcels no force row level security`,
    'parcels: does not force row-level security with the policy tenant',
  ],
  [
    'named_alike',
    `${made}; alter table parcels add column stage text constraint contacts_stage check (stage in ('new'))`,
    'contacts_stage: the name of 2 constraints',
  ],
  [
    'named_like_a_shard',
    `${made}; alter table parcels add column stage text constraint contacts_stage_102 check (stage in ('new'))`,
    'contacts_stage_102: a name that ends like that of a shard',
  ],
  [
    'silent_column',
    `${made}; alter table parcels add column address text`,
    'parcels.address: its comment does not say whether it is personal (see mark_columns)',
  ],
  [
    'vague_column',
    `${made}; alter table parcels add column address text; select mark_columns('parcels', 'personal', 'address')`,
    'parcels.address: its comment does not say whether it is personal (see mark_columns)',
  ],
  [
    'marked_column',
    `${made}; alter table parcels add column address text; select mark_columns('parcels', 'personal: erased', 'address')`,
    undefined,
  ],
  [
    'function_without_a_path',
    `${lending}; revoke execute on function list_parcels from public; alter function list_parcels owner to gable_search`,
    'list_parcels: runs as its owner without a search_path of its own',
  ],
  [
    'function_of_a_superuser',
    `${lending} set search_path = pg_catalog, public; revoke execute on function list_parcels from public`,
    'list_parcels: runs as a superuser, whom no policy binds',
  ],
  [
    'function_for_anyone',
    `${lending} set search_path = pg_catalog, public; alter function list_parcels owner to gable_search`,
    'list_parcels: runs as its owner for anyone who calls it',
  ],
] as const)('catalog: %s', async ([, sql, issue]) => {
  await client.query('begin')
  try {
    await client.query(sql)
    expect(catalogIssues(await readCatalog(client))).toEqual(issue === undefined ? [] : [issue])
  } finally {
    await client.query('rollback')
  }
})
