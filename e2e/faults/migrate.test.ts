import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { knownMigrations, migrate } from '@gable/server/src/kernel/migrate.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { runner } from 'node-pg-migrate'
import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newBareDatabase, newDatabase } from './databases.ts'
import { startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 180_000 })

const migrations = fileURLToPath(new URL('../../server/migrations', import.meta.url))

const appliedTo = async (url: string) =>
  (await asOwner<{ name: string }>(url, 'select name from migrations order by id')).map(({ name }) => name)

/** Applies the first migrations, as an earlier version of the program would. */
async function migrateAsOf(url: string, count: number): Promise<void> {
  await runner({
    databaseUrl: url,
    dir: migrations,
    direction: 'up',
    count,
    migrationsTable: 'migrations',
    log: () => undefined,
  })
  await asOwner(url, 'grant select on migrations to gable_app')
}

test('two servers that start concurrently on an empty database migrate it once and both serve', async () => {
  const env = await newBareDatabase('empty')
  const servers = await Promise.all([startGable(env), startGable(env)])
  await using one = servers[0]
  await using other = servers[1]
  expect(await appliedTo(env.DATABASE_URL)).toEqual(await knownMigrations())
  for (const { origin } of [one, other]) expect((await fetch(`${origin}/readyz`)).status).toBe(200)
})

test('one of several concurrent migrations applies everything; the others wait and apply nothing', async () => {
  const { DATABASE_URL: url } = await newBareDatabase('race')
  const applied = await Promise.all(Array.from({ length: 5 }, () => migrate(url)))
  expect(applied.filter((names) => names.length > 0)).toEqual([await knownMigrations()])
  expect(await appliedTo(url)).toEqual(await knownMigrations())
})

test('empty databases on one PostgreSQL can be migrated concurrently despite their shared roles', async () => {
  const urls = await Promise.all(
    [1, 2, 3, 4].map(async (n) => (await newBareDatabase(`side_${n}`)).DATABASE_URL),
  )
  for (const names of await Promise.all(urls.map((url) => migrate(url))))
    expect(names).toEqual(await knownMigrations())
})

test('a server ahead of its database reports the missing migration and serves once it is applied', async () => {
  const env = await newBareDatabase('behind')
  const url = env.DATABASE_URL
  const known = await knownMigrations()
  const last = known.at(-1)
  await migrateAsOf(url, known.length - 1)
  await using server = await startGable({ ...env, ROLE: 'api' })
  const unready = await fetch(`${server.origin}/readyz`)
  expect(unready.status).toBe(503)
  expect(unready.headers.get('retry-after')).toBe('1')
  expect(((await unready.json()) as { reason: string }).reason).toContain(last)

  expect(await migrate(url)).toEqual([last])
  await vi.waitUntil(async () => (await fetch(`${server.origin}/readyz`)).status === 200, {
    timeout: 30_000,
    interval: 50,
  })
  const { keys } = await newKeys(url, 1)
  const made = await ask(server.base, {
    method: 'POST',
    path: '/contacts',
    key: keys[0]?.key ?? '',
    body: {},
  })
  expect(made.status).toBe(201)
})

/** This version's migrations and those of the next version. */
async function nextMigrations(sql: string) {
  const folder = await mkdtemp(join(tmpdir(), 'gable-migrations-'))
  await cp(migrations, folder, { recursive: true })
  await writeFile(join(folder, '9999_next.sql'), sql)
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

test('a running server serves every request while the migrations of the next version are applied', async () => {
  const env = await newDatabase('serving')
  await using server = await startGable({ ...env, ROLE: 'api' })
  await using next = await nextMigrations(`
    alter table contacts add column nickname text collate "C" not null default '';
    create index contacts_by_nickname on contacts (workspace_id, nickname);
    create table nicknames (
      workspace_id text collate "C" not null,
      contact_id text collate "C" not null,
      foreign key (workspace_id, contact_id) references contacts (workspace_id, id)
    );`)
  const keys = await newKeys(env.DATABASE_URL, 20)
  let served = 0
  let ended = false
  const statuses = new Set<number>()
  async function work() {
    while (!ended) {
      const made = await ask(server.base, { method: 'POST', path: '/contacts', key: keys.next(), body: {} })
      const read = await ask(server.base, { path: `/contacts/${made.body['id']}`, key: keys.next() })
      statuses.add(made.status).add(read.status)
      served += 1
    }
  }
  const clients = Promise.all([work(), work(), work()])
  const serves = (more: number) =>
    Promise.race([clients, vi.waitUntil(() => served >= more, { timeout: 30_000, interval: 5 })])
  await serves(20)
  expect(await migrate(env.DATABASE_URL, next)).toEqual(['9999_next'])
  await serves(served + 20)
  expect(await migrate(env.DATABASE_URL, next)).toEqual([])
  ended = true
  await clients
  expect(statuses).toEqual(new Set([201, 200]))
})

test('a migration that needs a locked table fails after a second and succeeds once it is unlocked', async () => {
  const { DATABASE_URL: url } = await newBareDatabase('busy')
  const known = await knownMigrations()
  const before = known.indexOf('0007_contacts')
  await migrateAsOf(url, before)
  const writer = new pg.Client({ connectionString: url })
  await writer.connect()
  try {
    // A write holds this lock until it commits. The foreign key from contacts to members cannot be created meanwhile.
    await writer.query('begin; lock table members in row exclusive mode')
    const since = performance.now()
    await expect(migrate(url)).rejects.toMatchObject({ code: '55P03' })
    const waited_ms = performance.now() - since
    expect(waited_ms).toBeGreaterThan(900)
    expect(waited_ms).toBeLessThan(5000)
    expect(await appliedTo(url)).toEqual(known.slice(0, before))
    await writer.query('commit')
  } finally {
    await writer.end()
  }
  expect(await migrate(url)).toEqual(known.slice(before))
})

test('a database that an earlier version made a little differently becomes like the others', async () => {
  const env = await newBareDatabase('migrate_earlier')
  const earlier = env.DATABASE_URL
  const today = (await newDatabase('migrate_today')).DATABASE_URL
  await migrateAsOf(earlier, (await knownMigrations()).indexOf('0041_shared-files') + 1)
  await asOwner(
    earlier,
    `drop index calendar_pushes_unfinished, automation_changes_running, message_removals_due;
     create index message_removals_due on message_removals (due_at);
     alter table automation_inbox alter column contact_id drop not null;
     alter table campaigns add column resumes_from timestamptz(3)`,
  )
  await migrate(earlier)
  const structureOf = (url: string) =>
    asOwner(
      url,
      `select pg_get_indexdef(indexrelid) as what from pg_index join pg_class on oid = indrelid
       where relnamespace = 'public'::regnamespace
       union all select format('%s.%s is required', attrelid::regclass, attname) from pg_attribute join pg_class c on c.oid = attrelid
       where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0 and attnotnull order by 1`,
    )
  expect(await structureOf(earlier)).toEqual(await structureOf(today))
  await using server = await startGable({ ...env, ROLE: 'api' })
  const keys = await newKeys(earlier, 1)
  expect((await ask(server.base, { path: '/campaigns', key: keys.next() })).status).toBe(200)
})
