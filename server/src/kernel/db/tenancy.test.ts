import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, workerDatabase } from '#test/support/database.ts'
import { sql } from './sql.ts'

const Row = Type.Object({ id: Type.String(), workspace_id: Type.String() })
const Count = Type.Object({ count: Type.Integer() })
const Setting = Type.Object({ workspace: Type.String() })
const everyRow = sql`select id, workspace_id /* unchecked */ from contacts`

test('a query without a workspace sees no rows and changes none', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  await (await workspace.credential()).post('/contacts', { first_name: 'Ada' })
  const { database } = app.runtime
  expect(await database.directory.many(Row)(everyRow)).toEqual([])
  expect(await database.authenticator.many(Row)(everyRow)).toEqual([])
  const search = (id: string) =>
    sql`select id, workspace_id from search_contacts(${id}, 'all', '{}', true, '{}', null, null, 10)`
  for (const id of ['', workspace.id]) expect(await database.authenticator.many(Row)(search(id))).toEqual([])
  expect(await database.reads((await app.workspace()).id).many(Row)(search(workspace.id))).toEqual([])
  expect(await database.reads(workspace.id).many(Row)(search(workspace.id))).toHaveLength(1)
  const events = sql`update /* unchecked */ events set data = '{}'`
  expect(await database.directory.transaction((tx) => tx.run(events))).toBe(0)
  // The same on connections that have served a workspace.
  await database.transaction(workspace.id, (tx) => tx.run(events))
  expect(await database.directory.transaction((tx) => tx.many(Row)(everyRow))).toEqual([])
})

test('a query without a workspace condition sees only the workspace of its handle', async () => {
  await using app = await testApp()
  const [mine, foreign] = [await app.workspace(), await app.workspace()]
  for (const workspace of [mine, foreign]) await (await workspace.credential()).post('/contacts', {})
  const { database } = app.runtime
  const rows = await database.reads(mine.id).many(Row)(everyRow)
  expect(rows.map((row) => row.workspace_id)).toEqual([mine.id])
  const moved = sql`update /* unchecked */ contacts set workspace_id = ${foreign.id}`
  await expect(database.transaction(mine.id, (tx) => tx.run(moved))).rejects.toThrow(/row-level security/)
})

test("the server's role owns nothing and bypasses nothing", async () => {
  await using app = await testApp()
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
})

test('4,000 queries of 50 workspaces on shared connections see only their own rows despite failures', async () => {
  await using app = await testApp()
  const { database } = app.runtime
  const ids = (await Promise.all(Array.from({ length: 50 }, () => app.workspace()))).map(({ id }) => id)
  for (const id of ids)
    await database.transaction(
      id,
      (tx) =>
        tx.run`
          insert into contacts (workspace_id, id, stage, tags, ai_auto_response, search_names, search_details, created_at, updated_at)
          values (${id}, ${id}, 'LEAD', '{}', 'active', '', '', ${app.clock.now()}, ${app.clock.now()})`,
    )
  const ask = async (i: number) => {
    const id = ids[i % ids.length] ?? ''
    if (i % 10 === 9) {
      const wrong = [
        sql`select 1 / (${i}::integer - ${i}::integer) as count`,
        sql`select nothing_of_the_kind`,
        sql`select ${'x'}::integer as count`,
      ][i % 3]
      await expect(database.reads(id).one(Count)(wrong ?? sql``)).rejects.toThrow(
        /division by zero|does not exist|invalid input syntax/,
      )
      return
    }
    const db = i % 3 === 0 ? database.searches(id) : database.reads(id)
    const rows =
      i % 7 === 0
        ? await database.transaction(id, (tx) => tx.many(Row)(everyRow))
        : await db.many(Row)(everyRow)
    expect(rows).toEqual([{ id, workspace_id: id }])
  }
  for (let first = 0; first < 4000; first += 400)
    await Promise.all(Array.from({ length: 400 }, (_, i) => ask(first + i)))
})

test('a statement that failed once is prepared again and works on the same connection', async () => {
  await using app = await testApp()
  const db = app.runtime.database.reads('a')
  const divide = (by: number) => db.one(Count)`select (6 / ${by}::integer)::integer as count`
  await expect(divide(0)).rejects.toThrow(/division by zero/)
  for (const by of [1, 2, 3]) expect(await divide(by)).toEqual({ count: 6 / by })
})

test('if a statement fails for some callers, the others on the same connection get their results', async () => {
  await using app = await testApp()
  const db = app.runtime.database.reads('a')
  const divide = (by: number) => db.one(Count)`select (6 / ${by}::integer)::integer as count`
  for (let round = 0; round < 20; round++) {
    expect(await divide(1)).toEqual({ count: 6 })
    const asked = [0, 1, 2, 3, 0, 6].map(async (by) => {
      if (by === 0) await expect(divide(by)).rejects.toThrow(/division by zero/)
      else expect(await divide(by)).toEqual({ count: 6 / by })
    })
    await Promise.all(asked)
  }
})

test('options in the database URL do not override the role and the time zone', async () => {
  const address = new URL(await workerDatabase())
  address.searchParams.set('options', '-c work_mem=8MB -c role=none -c timezone=Asia/Tokyo')
  address.searchParams.set('application_name', 'someone else')
  await using app = await testApp({ databaseUrl: address.href })
  const Session = Type.Object({ role: Type.String(), zone: Type.String(), memory: Type.String() })
  const session = sql`select current_user::text as role, current_setting('timezone') as zone, current_setting('work_mem') as memory`
  const { database } = app.runtime
  for (const queries of [
    database.reads('a'),
    database.searches('a'),
    database.authenticator,
    database.directory,
  ]) {
    expect(await queries.one(Session)(session)).toEqual({ role: 'gable_app', zone: 'UTC', memory: '8MB' })
  }
})

test('a value that cannot be sent fails its own query only, and not as Unavailable', async () => {
  await using app = await testApp()
  const db = app.runtime.database.reads('a')
  const circular: { self?: unknown } = {}
  circular.self = circular
  const [wrong, right] = await Promise.allSettled([
    db.one(Count)`select ${circular}::text as count`,
    db.one(Count)`select 1 as count`,
  ])
  expect(wrong).toMatchObject({ status: 'rejected', reason: { message: 'A value could not be sent.' } })
  expect(right).toMatchObject({ status: 'fulfilled', value: { count: 1 } })
  // In the same workspace, so that both have the same settings.
  const [, setting] = await Promise.allSettled([
    db.one(Count)`select ${circular}::text as count`,
    db.one(Setting)`select current_setting('gable.workspace_id', true) as workspace`,
  ])
  expect(setting).toMatchObject({ status: 'fulfilled', value: { workspace: 'a' } })
  const inside = app.runtime.database.transaction('a', (tx) => tx.run`select ${circular}::text`)
  await expect(inside).rejects.toThrow('A value could not be sent.')
})

test('a row that does not match its schema throws in tests', async () => {
  await using app = await testApp()
  await expect(app.runtime.database.reads('a').one(Count)`select 'text' as count`).rejects.toThrow(
    /does not match its schema/,
  )
})
