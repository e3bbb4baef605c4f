import { expect, test } from 'vitest'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import {
  beyondReach,
  recordStatements,
  recordTables,
  undeclaredUses,
  unlimited,
  usesBeyondReach,
  withoutReach,
} from './reach.ts'
import { parse, readSources } from './source.ts'

const runtime = readSources('server/src')
const file = (text: string) =>
  parse('server/src/modules/deals/queries.ts', `const listDeals = (db: Db) => db.many(Row)\`${text}\``)

test('every statement on records applies the reach or is a documented exception', () => {
  expect(withoutReach(runtime)).toEqual([])
})

test('every documented exception is in use', () => {
  const keys = recordStatements(runtime)
    .filter(({ limits }) => !limits)
    .map(({ key }) => key)
  expect([...new Set(keys)].toSorted()).toEqual(Object.keys(unlimited).toSorted())
})

test('whatever goes beyond the reach of who asks has a declared reason, once, and no reason is left over', () => {
  expect(undeclaredUses(runtime)).toEqual([])
  const used = new Set(usesBeyondReach(runtime).map((use) => use.file))
  expect(Object.values(beyondReach).flat().toSorted()).toEqual([...used].toSorted())
})

test.each(['tx.unrestricted()', 'listAll(ctx.lookups())'])('reports an undeclared %s', (use) => {
  expect(undeclaredUses([parse('server/src/modules/deals/other.ts', use)])).toHaveLength(1)
})

test.each([
  'select id from contacts where workspace_id = $1',
  'update leads set status = 1',
  'select 1 from deals join events on true',
  'delete from contact_points',
])('reports %s', (text) => {
  expect(withoutReach([file(text)])).toHaveLength(1)
})

test.each([
  'select id from contacts where workspace_id = $1 ${within(db, owner)}',
  'insert into contacts (id) values (1)',
  'select id from webhooks',
])('accepts %s', (text) => {
  expect(withoutReach([file(text)])).toEqual([])
})

test('every table of records has a restrictive reach policy that applies only to gable_member', async () => {
  const rows = await asOwner<{ table: string; roles: string[]; permissive: string }>(
    await workerDatabase(),
    "select tablename as table, roles::text[] as roles, permissive from pg_policies where policyname = 'reach'",
  )
  const tables = rows.map(({ table }) => table)
  for (const table of recordTables) expect(tables).toContain(table)
  for (const { roles, permissive } of rows)
    expect([roles, permissive]).toEqual([['gable_member'], 'RESTRICTIVE'])
})
