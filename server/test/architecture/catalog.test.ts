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

test('every table follows the rules of its kind, and every column says whether it is personal', async () => {
  expect(catalogIssues(await readCatalog(client))).toEqual([])
})

const tenantTable =
  'create table deals (workspace_id text not null, id text not null, primary key (workspace_id, id))'
const lending = `grant create on schema public to gable_search;
  create function list_deals() returns integer language sql as 'select 1' security definer`
const made = `${tenantTable}; select make_tenant_table('deals')`

test.for([
  ['no_kind', tenantTable, 'deals: its comment is not directory, queue, or tenant'],
  ['sound', made, undefined],
  [
    'key',
    "create table deals (id text primary key, workspace_id text not null); select make_tenant_table('deals')",
    'deals_pkey: does not begin with workspace_id',
  ],
  [
    'unique',
    `${made}; create unique index deals_id on deals (id)`,
    'deals_id: does not begin with workspace_id',
  ],
  [
    'reference',
    `${made}; alter table deals add column contact_id text,
     add constraint deals_contact foreign key (contact_id, workspace_id) references contacts (id, workspace_id)`,
    'deals_contact: does not begin with workspace_id on both sides',
  ],
  [
    'mixed',
    `${made}; alter table deals add constraint deals_workspace foreign key (workspace_id) references workspaces (id)`,
    'deals_workspace: a tenant table references workspaces, a directory table',
  ],
  [
    'identity',
    `${made}; alter table deals add column place bigint generated always as identity`,
    'deals.place: is an identity or takes its default from a sequence',
  ],
  [
    'trigger',
    `${made}; create function keep() returns trigger language plpgsql as 'begin return new; end';
     create trigger deals_keep before update on deals for each row execute function keep()`,
    'deals_keep: a trigger on a tenant table',
  ],
  [
    'open',
    `${made}; alter table deals no force row level security`,
    'deals: does not force row-level security with the policy tenant',
  ],
  [
    'named_alike',
    `${made}; alter table deals add column stage text constraint contacts_stage check (stage in ('new'))`,
    'contacts_stage: the name of 2 constraints',
  ],
  [
    'named_like_a_shard',
    `${made}; alter table deals add column stage text constraint contacts_stage_102 check (stage in ('new'))`,
    'contacts_stage_102: a name that ends like that of a shard',
  ],
  [
    'silent_column',
    `${made}; alter table deals add column address text`,
    'deals.address: its comment does not say whether it is personal (see mark_columns)',
  ],
  [
    'vague_column',
    `${made}; alter table deals add column address text; select mark_columns('deals', 'personal', 'address')`,
    'deals.address: its comment does not say whether it is personal (see mark_columns)',
  ],
  [
    'marked_column',
    `${made}; alter table deals add column address text; select mark_columns('deals', 'personal: erased', 'address')`,
    undefined,
  ],
  [
    'function_without_a_path',
    `${lending}; revoke execute on function list_deals from public; alter function list_deals owner to gable_search`,
    'list_deals: runs as its owner without a search_path of its own',
  ],
  [
    'function_of_a_superuser',
    `${lending} set search_path = pg_catalog, public; revoke execute on function list_deals from public`,
    'list_deals: runs as a superuser, whom no policy binds',
  ],
  [
    'function_for_anyone',
    `${lending} set search_path = pg_catalog, public; alter function list_deals owner to gable_search`,
    'list_deals: runs as its owner for anyone who calls it',
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
