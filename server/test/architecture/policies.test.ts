import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshDatabase } from '../support/database.ts'
import { expectedPolicies, guardedTables, readPolicies } from './policies.ts'

let client: pg.Client
let tables: string[]

beforeAll(async () => {
  client = new pg.Client({ connectionString: await freshDatabase('policies') })
  await client.connect()
  tables = await guardedTables(client)
})
afterAll(() => client.end())

test('every row-level security policy has the expected condition, command, and roles', async () => {
  expect(await readPolicies(client)).toEqual(await expectedPolicies(client))
})

test('server roles own no tables and have no special privileges; only gable_member is in another role', async () => {
  const { rows: roles } = await client.query(
    `select rolname::text as name from pg_roles where rolname like 'gable\\_%' and not
       (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolreplication or rolcanlogin) order by 1`,
  )
  expect(roles.map(({ name }) => name)).toEqual([
    'gable_app',
    'gable_engine',
    'gable_member',
    'gable_search',
    'gable_sender',
  ])
  const { rows: memberships } = await client.query(
    `select member::regrole::text, roleid::regrole::text as role from pg_auth_members
     where roleid::regrole::text like 'gable\\_%' and member::regrole::text like 'gable\\_%'`,
  )
  expect(memberships).toEqual([{ member: 'gable_member', role: 'gable_app' }])
  const { rows: owned } = await client.query(
    `select relname::text as name from pg_class where relowner::regrole::text like 'gable\\_%'`,
  )
  expect(owned).toEqual([])
})

describe('with all privileges granted and no other constraints', () => {
  beforeAll(async () => {
    for (const table of tables) await loosen(table)
    for (const table of tables)
      await client.query(`insert into ${table} (workspace_id) values ('mine'), ('foreign')`)
  })

  /** Removes everything else that could reject a statement, so that only row-level security is left. */
  async function loosen(table: string) {
    const { rows } = await client.query<{ statement: string }>(
      `select format('alter table %I drop constraint if exists %I cascade', $1::text, conname) as statement
       from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'f', 'c')
       union all select format('alter table %I alter column %I drop not null', $1::text, attname)
       from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attname <> 'workspace_id'
       union all select format('grant all on %I to gable_app', $1::text)`,
      [table],
    )
    for (const { statement } of rows) await client.query(statement)
  }

  /** Runs a statement as this role and rolls it back. Returns the workspaces of its rows, or why it was rejected. */
  async function attempt(role: string, workspace: string | undefined, statement: string): Promise<unknown> {
    await client.query('begin')
    try {
      await client.query(`set local role ${role}`)
      if (workspace !== undefined)
        await client.query("select set_config('gable.workspace_id', $1, true)", [workspace])
      const { rows } = await client.query<{ workspace_id: string }>(statement)
      return rows.map(({ workspace_id }) => workspace_id)
    } catch (error) {
      return /row-level security/.exec(String(error))?.[0] ?? error
    } finally {
      await client.query('rollback')
    }
  }

  const rejected = 'row-level security'
  const inserting = (table: string, workspace: string) =>
    `insert into ${table} (workspace_id) values ('${workspace}') returning workspace_id`

  test('a workspace can read, insert, update, and delete its own rows in every table', async () => {
    for (const table of tables) {
      const own = (statement: string) => attempt('gable_app', 'mine', statement)
      expect(await own(`select workspace_id from ${table}`), table).toEqual(['mine'])
      expect(await own(inserting(table, 'mine')), table).toEqual(['mine'])
      const kept = `update ${table} set workspace_id = 'mine' returning workspace_id`
      expect(await own(kept), table).toEqual(['mine'])
      expect(await own(`delete from ${table} returning workspace_id`), table).toEqual(['mine'])
    }
  })

  test.each(['gable_app', 'gable_member'])(
    '%s cannot read, insert, update, or delete rows of another workspace',
    async (role) => {
      for (const table of tables)
        for (const workspace of ['mine', '', undefined]) {
          const own = (statement: string) => attempt(role, workspace, statement)
          const where = `${table} as ${role} of ${workspace}`
          for (const read of [
            `select workspace_id from ${table} where workspace_id <> 'mine'`,
            `delete from ${table} where workspace_id <> 'mine' returning workspace_id`,
            `update ${table} set workspace_id = workspace_id where workspace_id <> 'mine' returning workspace_id`,
          ])
            expect(await own(read), where).toEqual([])
          expect(await own(inserting(table, 'foreign')), where).toBe(rejected)
          if (workspace !== 'mine') expect(await own(inserting(table, 'mine')), where).toBe(rejected)
        }
    },
  )

  test.each(['gable_app', 'gable_member'])('%s cannot move a row to another workspace', async (role) => {
    for (const table of tables) {
      const moved = await attempt(role, 'mine', `update ${table} set workspace_id = 'foreign'`)
      // A table whose rows gable_member does not see has none to move.
      expect([rejected, ...(role === 'gable_member' ? [''] : [])], table).toContain(String(moved))
    }
  })
})
