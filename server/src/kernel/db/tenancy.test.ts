import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { sql } from './sql.ts'

const Row = Type.Object({ id: Type.String(), workspace_id: Type.String() })
const Count = Type.Object({ count: Type.Integer() })
const everyRow = sql`select id, workspace_id from contacts`

test('a query without a workspace sees nothing, and none can be written', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  await (await workspace.credential()).post('/contacts', { first_name: 'Ada' })
  const { database } = app.house
  expect(await database.directory.many(Row, everyRow)).toEqual([])
  expect(await database.reads('').many(Row, everyRow)).toEqual([])
  expect(
    await database
      .reads('')
      .many(
        Row,
        sql`select id, '' as workspace_id from search_contacts('{}', true, null, null, null, null, null, 10)`,
      ),
  ).toEqual([])
  const events = sql`update events set data = '{}'`
  expect(await database.transaction('', (tx) => tx.run(events))).toBe(0)
})

test('a query that forgets its workspace still sees only the one it runs for', async () => {
  await using app = await testApp()
  const [mine, theirs] = [await app.workspace(), await app.workspace()]
  for (const workspace of [mine, theirs]) await (await workspace.credential()).post('/contacts', {})
  const { database } = app.house
  const rows = await database.reads(mine.id).many(Row, everyRow)
  expect(rows.map((row) => row.workspace_id)).toEqual([mine.id])
  const moved = sql`update contacts set workspace_id = ${theirs.id}`
  await expect(database.transaction(mine.id, (tx) => tx.run(moved))).rejects.toThrow(/row-level security/)
})

/** They say who may come in, before it is known where. */
const directoryTables = ['api_keys', 'oauth_apps', 'oauth_grants', 'memberships', 'invitations']

test("every table of a workspace forces row-level security, and the server's role owns nothing", async () => {
  await using app = await testApp()
  const open = await asOwner(
    app.databaseUrl,
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all ($1)
       and not (c.relrowsecurity and c.relforcerowsecurity
         and exists (select 1 from pg_policy p where p.polrelid = c.oid and p.polname = 'tenant'))`,
    [directoryTables],
  )
  expect(open).toEqual([])
  const owned = await asOwner(
    app.databaseUrl,
    "select relname from pg_class where relowner = 'gable_app'::regrole union all select proname from pg_proc where proowner = 'gable_app'::regrole",
  )
  expect(owned).toEqual([])
  const [role] = await asOwner(
    app.databaseUrl,
    "select rolsuper, rolbypassrls, rolcreaterole, rolcanlogin from pg_roles where rolname = 'gable_app'",
  )
  expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcanlogin: false })
  const keys = await asOwner(
    app.databaseUrl,
    `select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
       join pg_constraint p on p.conrelid = c.oid and p.contype = 'p'
     where c.relnamespace = 'public'::regnamespace and c.relname <> all ($1) and p.conkey[1] <> a.attnum`,
    [directoryTables],
  )
  expect(keys).toEqual([])
})

test('four thousand mixed questions of fifty workspaces on shared connections, every tenth one failing, leak nothing', async () => {
  await using app = await testApp()
  const { database } = app.house
  const ids = (await Promise.all(Array.from({ length: 50 }, () => app.workspace()))).map(({ id }) => id)
  await Promise.all(
    ids.map((id) =>
      database.transaction(id, (tx) =>
        tx.run(sql`
          insert into contacts (workspace_id, id, stage, tags, ai_auto_response, search_names, search_details, created_at, updated_at)
          values (${id}, ${id}, 'LEAD', '{}', 'active', '', '', ${app.clock.now()}, ${app.clock.now()})`),
      ),
    ),
  )
  const asked = Array.from({ length: 4000 }, async (_, i) => {
    const id = ids[i % ids.length] ?? ''
    if (i % 10 === 9) {
      const wrong = [
        sql`select 1 / (${i}::integer - ${i}::integer) as count`,
        sql`select nothing_of_the_kind`,
        sql`select ${'x'}::integer as count`,
      ][i % 3]
      await expect(database.reads(id).one(Count, wrong ?? sql``)).rejects.toThrow(
        /division by zero|does not exist|invalid input syntax/,
      )
      return
    }
    const db = i % 3 === 0 ? database.searches(id) : database.reads(id)
    const rows =
      i % 7 === 0
        ? await database.transaction(id, (tx) => tx.many(Row, everyRow))
        : await db.many(Row, everyRow)
    expect(rows).toEqual([{ id, workspace_id: id }])
  })
  await Promise.all(asked)
})

test('a statement that failed once is prepared anew and works, on the same connection', async () => {
  await using app = await testApp()
  const db = app.house.database.reads('a')
  const divide = (by: number) => db.one(Count, sql`select (6 / ${by}::integer)::integer as count`)
  await expect(divide(0)).rejects.toThrow(/division by zero/)
  for (const by of [1, 2, 3]) expect(await divide(by)).toEqual({ count: 6 / by })
})

test('a statement that fails for some callers answers the others on the same connection in full', async () => {
  await using app = await testApp()
  const db = app.house.database.reads('a')
  const divide = (by: number) => db.one(Count, sql`select (6 / ${by}::integer)::integer as count`)
  for (let round = 0; round < 20; round++) {
    expect(await divide(1)).toEqual({ count: 6 })
    const asked = [0, 1, 2, 3, 0, 6].map(async (by) => {
      if (by === 0) await expect(divide(by)).rejects.toThrow(/division by zero/)
      else expect(await divide(by)).toEqual({ count: 6 / by })
    })
    await Promise.all(asked)
  }
})

test('options in the database’s address take neither the role nor the time zone from us', async () => {
  const address = new URL(await workerDatabase())
  address.searchParams.set('options', '-c work_mem=8MB -c role=none -c timezone=Asia/Tokyo')
  address.searchParams.set('application_name', 'someone else')
  await using app = await testApp({ databaseUrl: address.href })
  const Session = Type.Object({ role: Type.String(), zone: Type.String(), memory: Type.String() })
  const session = sql`select current_user::text as role, current_setting('timezone') as zone, current_setting('work_mem') as memory`
  const { database } = app.house
  for (const queries of [database.reads('a'), database.searches('a'), database.door, database.directory]) {
    expect(await queries.one(Session, session)).toEqual({ role: 'gable_app', zone: 'UTC', memory: '8MB' })
  }
})

test('a value that cannot be sent fails alone, at once, and is no outage', async () => {
  await using app = await testApp()
  const db = app.house.database.reads('a')
  const circular: { self?: unknown } = {}
  circular.self = circular
  const [wrong, right] = await Promise.allSettled([
    db.one(Count, sql`select ${circular}::text as count`),
    db.one(Count, sql`select 1 as count`),
  ])
  expect(wrong).toMatchObject({ status: 'rejected', reason: { message: 'A value could not be sent.' } })
  expect(right).toMatchObject({ status: 'fulfilled', value: { count: 1 } })
  const inside = app.house.database.transaction('a', (tx) => tx.run(sql`select ${circular}::text`))
  await expect(inside).rejects.toThrow('A value could not be sent.')
})

test('a row that is not as its schema says is a fault in tests', async () => {
  await using app = await testApp()
  await expect(app.house.database.reads('a').one(Count, sql`select 'text' as count`)).rejects.toThrow(
    /not as its schema says/,
  )
})
