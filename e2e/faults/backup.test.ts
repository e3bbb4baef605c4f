import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { diskStore } from '@gable/server/src/adapters/storage/disk-store.ts'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { newId } from '@gable/server/src/kernel/ids.ts'
import { asOwner, freshDatabase } from '@gable/server/test/support/database.ts'
import { gableWith } from '@gable/server/test/support/gable.ts'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newBareDatabase } from './databases.ts'
import { spawnGable, startGable } from './gable-process.ts'
import { type Keys, newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 180_000 })

const secret = 'a secret that only the tests know and long enough'

let folder: string
let source: { DATABASE_URL: string; APP_SECRET: string; DATA_DIR: string }
let keys: Keys
let backup: string
const content = Buffer.from('a signed document')

const env = (url: string, name: string) => ({
  DATABASE_URL: url,
  APP_SECRET: secret,
  DATA_DIR: join(folder, name),
})

/** Every table's number of rows and their content, without what a start, a backup, or a restore changes. */
async function contentsOf(url: string) {
  const tables = await asOwner<{ place: string }>(
    url,
    `select format('%I.%I', nspname, relname) as place from pg_class c join pg_namespace n on n.oid = relnamespace
     where nspname in ('public', 'graphile_worker') and relkind = 'r' and relpersistence = 'p'
       and relname not in ('migrations', 'installation', 'last_backup', '_private_known_crontabs')`,
  )
  const contents = await Promise.all(
    tables.map(async ({ place }) => {
      const [row] = await asOwner<{ rows: string; mark: string }>(
        url,
        `select count(*) as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0) as mark from ${place} t`,
      )
      return [place, row] as const
    }),
  )
  return Object.fromEntries(contents)
}

/** Keys, indexes, and row-level security, in PostgreSQL's words. */
const structureOf = (url: string) =>
  asOwner(
    url,
    `with ours as (
       select c.oid, c.oid::regclass::text as name, relrowsecurity, relforcerowsecurity from pg_class c
       join pg_namespace n on n.oid = relnamespace where nspname in ('public', 'graphile_worker') and relkind = 'r')
     select name, pg_get_constraintdef(k.oid) as what from pg_constraint k join ours on ours.oid = conrelid
     union all select name, pg_get_indexdef(indexrelid) from pg_index join ours on ours.oid = indrelid
     union all select name, format('%s %s', relrowsecurity, relforcerowsecurity) from ours
     order by 1, 2`,
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gable-backup-'))
  source = env(await freshDatabase('faults_backup_source'), 'source')
  await gableWith(() => source)(['seed'])
  keys = await newKeys(source.DATABASE_URL, 20)
  const file = newId(systemClock.now())
  const store = diskStore(join(source.DATA_DIR, 'files'), systemClock)
  await store.check()
  await store.put(
    { workspaceId: keys.workspaceId, fileId: file },
    (async function* () {
      yield content
    })(),
  )
  await asOwner(
    source.DATABASE_URL,
    `insert into files (workspace_id, id, name, media_type, scope, size, sha256, stored_at, created_at)
     values ($1, $2, 'a.pdf', 'application/pdf', 'documents:read', $3, encode(sha256($4), 'hex'), now(), now())`,
    [keys.workspaceId, file, content.length, content],
  )
  backup = join(folder, 'backup')
  await gableWith(() => source).json('backup', backup)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test('a backup restores every row, key, index, and file; only its owner may read it', async () => {
  const { mode } = await stat(backup)
  expect(mode & 0o777).toBe(0o600)
  const target = { ...(await newBareDatabase('backup_target')), DATA_DIR: join(folder, 'target') }
  const report = await gableWith(() => target).json('restore', backup)
  expect(report).toMatchObject({ files: 1, missing: 0 })
  expect(await contentsOf(target.DATABASE_URL)).toEqual(await contentsOf(source.DATABASE_URL))
  expect(await structureOf(target.DATABASE_URL)).toEqual(await structureOf(source.DATABASE_URL))
  const [{ id, workspace_id } = { id: '', workspace_id: '' }] = await asOwner<{
    id: string
    workspace_id: string
  }>(target.DATABASE_URL, 'select id, workspace_id from files')
  expect(
    await readFile(join(target.DATA_DIR, 'files', workspace_id, id.slice(-2), id)).then((bytes) =>
      bytes.equals(content),
    ),
  ).toBe(true)
  // Restored and started, it serves at once, and what only the secret opens can be read.
  await using server = await startGable({ ...target, ROLE: 'api' })
  const made = await ask(server.base, { method: 'POST', path: '/contacts', key: keys.next(), body: {} })
  expect(made.status).toBe(201)
})

test('a plain owner backs up and restores', async () => {
  const { serverUrl, prefix } = inject('databases')
  const name = `${prefix}_plain`
  await asOwner(serverUrl, `create role ${name} login password 'a password'`)
  try {
    await asOwner(
      serverUrl,
      `grant gable_app, gable_member, gable_search, gable_sender, gable_engine to ${name}`,
    )
    await asOwner(serverUrl, `create database ${name} owner ${name}`)
    const url = new URL(serverUrl)
    Object.assign(url, { username: name, password: 'a password', pathname: `/${name}` })
    const target = env(url.href, 'plain')
    const gable = gableWith(() => target)
    await gable.json('restore', backup)
    await gable.json('backup', join(folder, 'again'))
    const superuser = new URL(serverUrl)
    superuser.pathname = url.pathname
    expect(await contentsOf(superuser.href)).toEqual(await contentsOf(source.DATABASE_URL))
    const third = { ...(await newBareDatabase('backup_third')), DATA_DIR: join(folder, 'third') }
    await gableWith(() => third).json('restore', join(folder, 'again'))
    expect(await contentsOf(third.DATABASE_URL)).toEqual(await contentsOf(source.DATABASE_URL))
  } finally {
    await asOwner(serverUrl, `drop database if exists ${name} with (force)`)
    await asOwner(serverUrl, `drop role ${name}`)
  }
})

test('a backup of a busy server is one moment: every event has its contact, and every contact its event', async () => {
  await using server = await startGable({ ...source, ROLE: 'api' })
  let ended = false
  let count = 0
  async function work() {
    while (!ended) {
      await ask(server.base, { method: 'POST', path: '/contacts', key: keys.next(), body: {} })
      count++
    }
  }
  const working = Promise.all([work(), work()])
  await vi.waitUntil(() => count > 10)
  const busy = join(folder, 'busy')
  await gableWith(() => source).json('backup', busy)
  ended = true
  await working
  const target = { ...(await newBareDatabase('backup_busy')), DATA_DIR: join(folder, 'busy-target') }
  await gableWith(() => target).json('restore', busy)
  const alone = await asOwner(
    target.DATABASE_URL,
    `select from contacts c full join (select * from events where name = 'contact.created') e
       on e.workspace_id = c.workspace_id and e.subject_id = c.id
     where coalesce(c.workspace_id, e.workspace_id) = $1 and (c.id is null or e.id is null)`,
    [keys.workspaceId],
  )
  expect(alone).toEqual([])
})

test('a restore needs the right secret, an empty database, and a whole backup, and otherwise writes nothing', async () => {
  const target = { ...(await newBareDatabase('backup_not')), DATA_DIR: join(folder, 'not') }
  const isEmpty = async () =>
    (await asOwner(target.DATABASE_URL, "select from pg_class where relnamespace = 'public'::regnamespace"))
      .length === 0
  const other = gableWith(() => ({ ...target, APP_SECRET: 'another secret that is long enough, too' }))
  expect(await other.error('restore', backup)).toMatchObject({
    code: 1,
    error: { message: expect.stringContaining('another APP_SECRET') },
  })
  expect(await isEmpty()).toBe(true)
  const gable = gableWith(() => target)
  await writeFile(join(folder, 'text'), 'Not a backup')
  for (const path of ['text', 'nowhere']) await gable.error('restore', join(folder, path))
  expect(await isEmpty()).toBe(true)
  const cut = join(folder, 'cut')
  await writeFile(cut, await readFile(backup))
  await truncate(cut, Math.floor((await stat(backup)).size / 2))
  expect(await gable.error('restore', cut)).toMatchObject({
    error: { message: expect.stringContaining('not a complete backup') },
  })
  expect(await asOwner(target.DATABASE_URL, 'select from workspaces')).toEqual([])
  // What was rejected does not stand in the way.
  await gable.json('restore', backup)
  expect(await gable.error('restore', backup)).toMatchObject({
    error: { message: expect.stringContaining('not empty') },
  })
  expect(await gable.error('backup', backup)).toMatchObject({
    error: { message: expect.stringContaining('exists already') },
  })
})

test('a server and a command with another secret do not start', async () => {
  const wrong = { ...source, APP_SECRET: 'another secret that is long enough, too' }
  for (const ROLE of ['all', 'api', 'worker']) {
    await using server = spawnGable({ ...wrong, ROLE })
    expect(await server.exit).toEqual({ code: 1, signal: null })
    expect(server.stderr()).toMatch(/^The database was used with another APP_SECRET\./m)
  }
  expect(await gableWith(() => wrong).error('workspaces', 'list')).toMatchObject({
    error: { message: expect.stringContaining('another APP_SECRET') },
  })
  // While the secret is replaced, both are known; afterwards the new one alone.
  const next = 'the next secret that has enough characters'
  const withRing = (ring: string) => gableWith(() => ({ ...source, APP_SECRET: '', APP_SECRETS: ring }))
  await withRing(`${next},${secret}`).json('workspaces', 'list')
  await withRing(next).json('workspaces', 'list')
  await withRing(`${secret},${next}`).json('workspaces', 'list')
  await withRing(secret).json('workspaces', 'list')
})
