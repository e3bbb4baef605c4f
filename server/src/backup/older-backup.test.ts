import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { knownMigrations, migrate } from '#kernel/migrate.ts'
import { keyRing } from '#kernel/secrets.ts'
import { asOwner } from '#test/support/database.ts'
import { diskStore } from '../adapters/storage/disk-store.ts'
import { secretCheck } from '../modules/installation/public.ts'
import { readBackup } from './read-backup.ts'
import { writeBackup } from './write-backup.ts'

let folder: string
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gable-older-backup-'))))
afterAll(() => rm(folder, { recursive: true, force: true }))

const keys = keyRing(['a secret of the tests that is long enough'])
const files = () => diskStore(join(folder, 'files'), systemClock)

async function bareDatabase(name: string): Promise<string> {
  const { serverUrl, prefix } = inject('databases')
  await asOwner(serverUrl, `create database ${prefix}_${name} template template0`)
  const url = new URL(serverUrl)
  url.pathname = `/${prefix}_${name}`
  return url.href
}

async function backUp(url: string, path: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const options = { client, path, files: files(), bucket: false, secretCheck: secretCheck(keys) }
    await writeBackup({ ...options, clock: systemClock, onProgress: () => undefined })
  } finally {
    await client.end()
  }
}

const restore = (url: string, path: string) =>
  readBackup({ url, path, keys, files: files(), clock: systemClock, onProgress: () => undefined })

const migrationsIn = async (url: string) =>
  (await asOwner<{ name: string }>(url, 'select name from migrations order by name')).map(({ name }) => name)

const stateOf = (url: string) =>
  asOwner(
    url,
    `select workspaces.name, secret_check, held_since is not null as held from workspaces, installation`,
  )

const idsOf = async (url: string) =>
  (await asOwner<{ id: string }>(url, 'select * from installation_identity'))[0] ?? expect.unreachable()

test('a backup of an older version restores with the migrations since, and what was restored can be backed up and restored again', async () => {
  const known = await knownMigrations()
  const older = await bareDatabase('backup_older')
  await migrate(older, { upTo: known.length - 1 })
  expect(await migrationsIn(older)).toEqual(known.slice(0, -1))
  await asOwner(
    older,
    `insert into workspaces (id, name, timezone, currency, created_at, updated_at)
     values ('cmi8hb2k5p0001zq8r4t6w9x3', 'Lantern & Oak', 'America/Chicago', 'USD', now(), now())`,
  )
  await asOwner(older, 'insert into installation (secret_check) values ($1)', [secretCheck(keys)])
  await asOwner(older, 'insert into installation_identity default values')
  // Some earlier versions had more columns.
  await asOwner(older, `alter table workspaces add column motto text not null default 'a, b'`)
  const [before] = await stateOf(older)

  const [first, second] = [join(folder, 'first'), join(folder, 'second')]
  await backUp(older, first)
  const once = await bareDatabase('backup_once')
  await restore(once, first)
  expect(await migrationsIn(once)).toEqual(known)
  expect(await stateOf(once)).toEqual([{ ...before, held: true }])
  const { id } = await idsOf(older)
  expect(await idsOf(once)).toMatchObject({ copied_from: id })
  expect(await idsOf(once)).not.toHaveProperty('id', id)

  await backUp(once, second)
  const twice = await bareDatabase('backup_twice')
  await restore(twice, second)
  expect(await migrationsIn(twice)).toEqual(known)
  expect(await stateOf(twice)).toEqual([{ ...before, held: true }])
  expect(await idsOf(twice)).toHaveProperty('copied_from', (await idsOf(once)).id)
})

test('a backup of the first version that could write one restores', async () => {
  const known = await knownMigrations()
  const older = await bareDatabase('backup_first')
  await migrate(older, { upTo: known.indexOf('0038_installation') + 1 })
  await asOwner(older, 'insert into installation (secret_check) values ($1)', [secretCheck(keys)])
  const path = join(folder, 'of-first')
  await backUp(older, path)
  const target = await bareDatabase('backup_of_first')
  await restore(target, path)
  expect(await migrationsIn(target)).toEqual(known)
  expect(await asOwner(target, 'select from installation where held_since is not null')).toHaveLength(1)
})

test('a restore that fails halfway can be repeated, and one of a held database keeps the span that it may lack', async () => {
  const known = await knownMigrations()
  const source = await bareDatabase('backup_source')
  await migrate(source)
  await asOwner(source, 'insert into installation (secret_check) values ($1)', [secretCheck(keys)])
  const path = join(folder, 'of-source')
  await backUp(source, path)

  // The first one ends in the middle of the file.
  const half = join(folder, 'half')
  await writeFile(half, (await readFile(path)).subarray(0, -200))
  const target = await bareDatabase('backup_target')
  await expect(restore(target, half)).rejects.toBeInstanceOf(Error)
  await restore(target, path)
  expect(await migrationsIn(target)).toEqual(known)

  const spanOf = async (url: string) =>
    (
      await asOwner<{ from: Date; to: Date; held_since: Date; restored_at: Date }>(
        url,
        'select uncovered_from as from, uncovered_to as to, held_since, restored_at from installation, installation_identity',
      )
    )[0] ?? expect.unreachable()
  const first = await spanOf(target)
  expect(first.restored_at).toEqual(first.held_since)
  const again = join(folder, 'of-held')
  await backUp(target, again)
  const second = await bareDatabase('backup_second')
  await restore(second, again)
  const span = await spanOf(second)
  expect(span.from).toEqual(first.from)
  expect(span.to.getTime()).toBeGreaterThan(first.to.getTime())
  expect(span.restored_at).toEqual(span.held_since)
})
