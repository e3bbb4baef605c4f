import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { asOwner, fingerprint, freshDatabase } from './database.ts'

let url: string

afterEach(() => vi.unstubAllEnvs())

beforeAll(async () => {
  url = await freshDatabase('fingerprint')
  await asOwner(
    url,
    `insert into workspaces values ('w', 'A brokerage', 'America/Chicago', 'USD', '2026-01-01', '2026-01-01');
     insert into offices values ('w', 'a', 'Evanston', '2026-01-01', '2026-01-01'), ('w', 'b', 'Oak Park', '2026-01-01', '2026-01-01');
     insert into api_keys (id, workspace_id, name, hash, prefix, scopes, created_at, updated_at)
     values ('k', 'w', 'A key', 'hash', 'gbl_key_', '{}', '2026-01-01', '2026-01-01')`,
  )
})

const changedBy = async (sql: string) => {
  const before = await fingerprint(url)
  await asOwner(url, sql)
  const after = await fingerprint(url)
  return Object.keys(after).filter((table) => after[table] !== before[table])
}

test.for([
  ["insert into teams values ('w', 't', 'Buyers', null, '2026-01-01', '2026-01-01')", ['teams']],
  ["update offices set name = 'Skokie' where id = 'a'", ['offices']],
  ["update offices set name = name where id = 'a'", ['offices']],
  ["delete from offices where id = 'a'", ['offices']],
  [
    "delete from offices where id = 'b'; insert into offices values ('w', 'b', 'Oak Park', '2026-01-01', '2026-01-01')",
    ['offices'],
  ],
  ["update api_keys set name = 'Another'", ['api_keys']],
  ["update api_keys set last_used_at = '2026-01-02'", []],
  ["insert into rate_windows values ('k', 0, 1)", []],
  ["begin; update offices set name = ''; rollback", []],
  ['select * from offices for update', []],
] as const)('%s changes the fingerprint of %j', async ([sql, tables]) => {
  expect(await changedBy(sql)).toEqual(tables)
})

test('TEST_DATABASE_COMMAND prepares each new database, and its failure is an error', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'gable-test-'))
  vi.stubEnv('TEST_DATABASE_COMMAND', `printf '%s ' >> ${directory}/urls`)
  const prepared = await freshDatabase('prepared')
  expect(await freshDatabase('prepared')).toBe(prepared)
  expect(await readFile(join(directory, 'urls'), 'utf8')).toBe(`${prepared} `)
  await rm(directory, { recursive: true })
  vi.stubEnv('TEST_DATABASE_COMMAND', 'false')
  await expect(freshDatabase('unprepared')).rejects.toThrow('Command failed')
})
