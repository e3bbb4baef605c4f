import { beforeAll, expect, test } from 'vitest'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { parse, readSources } from './source.ts'
import { acrossWorkspaces, withoutWorkspace } from './workspace.ts'

let tables: string[]

beforeAll(async () => {
  const rows = await asOwner<{ name: string }>(
    await workerDatabase(),
    `select relname as name from pg_class c join pg_attribute on attrelid = c.oid and attname = 'workspace_id'
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  tables = rows.map(({ name }) => name)
})

const keysOf = (found: readonly { key: string }[]) => [...new Set(found.map(({ key }) => key))].toSorted()

test('every statement names the workspace of each table that has one or is a documented exception', () => {
  const found = withoutWorkspace(readSources('server/src'), tables)
  expect(found.filter(({ key }) => acrossWorkspaces[key] === undefined)).toEqual([])
  expect(keysOf(found)).toEqual(Object.keys(acrossWorkspaces).toSorted())
})

const file = (text: string) =>
  parse('server/src/modules/deals/queries.ts', `const findDeal = (db: Db) => db.many(Row)\`${text}\``)

test.each([
  'select id from api_keys where id = ${id}',
  'update oauth_grants set scopes = ${scopes} where id = ${id}',
  'delete from invitations where workspace_id <> ${id}',
  'select 1 from webhooks w join webhook_deliveries d on d.webhook_id = w.id where w.workspace_id = ${id}',
])('reports %s', (text) => {
  expect(withoutWorkspace([file(text)], tables)).toHaveLength(1)
})

test('a fragment is checked in the statement that includes it', () => {
  const fragment = 'const named = () => sql`select id from api_keys`\n'
  const find = (rest: string) =>
    withoutWorkspace(
      [parse('server/src/modules/deals/queries.ts', `${fragment}const find = (db: Db) => ${rest}`)],
      tables,
    )
  expect(keysOf(find('db.many(Row)`${named()} where id = ${id}`'))).toContain('deals/queries.ts find')
  expect(keysOf(find('db.many(Row)`${named()} where workspace_id = ${id}`'))).not.toContain(
    'deals/queries.ts find',
  )
})

test.each([
  'select id from api_keys where workspace_id = ${workspaceId} and id = ${id}',
  'select 1 from webhooks w join webhook_deliveries d on d.workspace_id = w.workspace_id where w.workspace_id = ${id}',
  'insert into api_keys (id) values (${id})',
  'select id from people where id = ${id}',
])('accepts %s', (text) => {
  expect(withoutWorkspace([file(text)], tables)).toEqual([])
})
