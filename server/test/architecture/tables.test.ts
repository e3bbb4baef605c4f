import { describe, expect, test } from 'vitest'
import { parse, readSources } from './source.ts'
import { sqlOutsideQueries, tablesWithTwoWriters, writtenTables } from './tables.ts'

describe('the code', () => {
  const runtime = readSources('server/src')

  test('writes each table from only one module', () => {
    expect(tablesWithTwoWriters(runtime)).toEqual([])
  })

  test("keeps a module's SQL in its queries.ts", () => {
    expect(sqlOutsideQueries(runtime)).toEqual([])
  })

  test('is scanned: a second writer added to it is reported', () => {
    expect(tablesWithTwoWriters([...runtime, file('deals', 'update contacts set stage = 1')])).not.toEqual([])
    expect(tablesWithTwoWriters([...runtime, file('deals', 'delete from events')])).not.toEqual([])
  })
})

const file = (module: string, sql: string, name = 'queries.ts') =>
  parse(`server/src/modules/${module}/${name}`, `export const statement = sql\`${sql}\``)

test.for([
  ['insert into contacts (id) values (1)', ['contacts']],
  ['insert into contacts as c (id) values (1) on conflict (id) do update set id = 2', ['contacts']],
  ['with gone as (delete from notes returning id) update only Contacts c\n set n = 1', ['notes', 'contacts']],
  ['update contacts as c set n = (select 1 from deals for update)', ['contacts']],
  ['select id from contacts for no key update skip locked', []],
  ['foreign key (id) references contacts on update set null', []],
  ['merge into contacts using x on true', ['contacts']],
  ['truncate table contacts', ['contacts']],
] as const)('%s writes %j', ([sql, tables]) => {
  expect(writtenTables(sql)).toEqual(tables)
})

test('reports both modules that write the same table, with their lines', () => {
  const sources = [
    file('contacts', 'insert into contacts values (1)'),
    file('leads', '\nupdate contacts set id = 1'),
  ]
  expect(tablesWithTwoWriters(sources)).toEqual([
    'server/src/modules/contacts/queries.ts:1: contacts has two writers; one of them is contacts',
    'server/src/modules/leads/queries.ts:1: contacts has two writers; one of them is leads',
  ])
  expect(tablesWithTwoWriters([file('contacts', 'delete from a'), file('leads', 'select 1 from a')])).toEqual(
    [],
  )
})

test('reports a statement that does not name its table', () => {
  expect(tablesWithTwoWriters([file('contacts', 'delete from ${table}')])).toHaveLength(1)
})

test('reports SQL outside queries.ts, tagged or not', () => {
  expect(sqlOutsideQueries([file('deals', 'select 1', 'move-stage.ts')])).toHaveLength(1)
  const tagged = parse('server/src/modules/deals/move-stage.ts', 'db.maybeOne(DealRow)`select 1 from deals`')
  expect(sqlOutsideQueries([tagged])).toHaveLength(1)
  const plain = parse('server/src/modules/deals/move-stage.ts', "client.query('delete from deals')")
  expect(sqlOutsideQueries([plain])).toHaveLength(1)
  expect(sqlOutsideQueries([file('deals', 'select 1')])).toEqual([])
})
