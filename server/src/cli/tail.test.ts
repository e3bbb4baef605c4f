import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { type CommandProcess, startCommand } from '#test/support/command-process.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'

// Each tail is a separate process.
vi.setConfig({ testTimeout: 180_000 })

let app: TestApp
let databaseUrl: string
let workspace: TestWorkspace
beforeAll(async () => {
  databaseUrl = await freshDatabase('tail')
  app = await testApp({ databaseUrl, now: new Date() })
})
afterAll(() => app[Symbol.asyncDispose]())

interface Logged {
  /** When the request began. */
  begun?: Date
  /** When it ended, and was logged. */
  at?: Date
  status?: number
}

/** Logs requests at once. Returns their IDs. */
async function log(...all: Logged[]): Promise<string[]> {
  const rows = all.map(({ at = new Date(), begun = at, status = 200 }) => ({ id: newId(begun), at, status }))
  await asOwner(
    databaseUrl,
    `insert into request_batches (workspace_id, id, first_id, requests, error_codes, subjects, created_at, updated_at)
     select $1, id, id, json_build_array(json_build_object('id', id, 'method', 'GET', 'path', '/v1/ping', 'status', status,
         'ms', 1, 'credential_type', 'api_key', 'credential_id', 'key', 'created_at', at)), '{}', '{}', at, at
     from unnest($2::text[], $3::smallint[], $4::timestamptz[]) as one (id, status, at)`,
    [workspace.id, rows.map(({ id }) => id), rows.map(({ status }) => status), rows.map(({ at }) => at)],
  )
  return rows.map(({ id }) => id)
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)
const tail = (...args: string[]) =>
  startCommand(['requests', 'list', '--workspace', workspace.id, '--tail', ...args], databaseUrl)
const ids = (process: CommandProcess) => process.values<{ id: string }>().map(({ id }) => id)

test('the last requests come oldest first, then each new one once, also one that ends late or comes in many pages', async () => {
  workspace = await app.workspace()
  const old = await log({ at: ago(30) }, { at: ago(20) }, { at: ago(10) })
  const recent = await log({ at: ago(0.5) })
  await using process = tail('--json', '--limit', '3')
  await process.until(() => process.lines().length === 3)
  const shown = [...old.slice(1), ...recent]
  expect(ids(process)).toEqual(shown)

  const many = await log(...Array.from({ length: 450 }, () => ({})))
  await process.until(() => process.lines().length >= 453)
  const late = await log({ begun: ago(5) })
  await process.until(() => process.lines().length >= 454)
  const last = await log({})
  await process.until(() => ids(process).includes(String(last[0])))
  expect(ids(process)).toEqual([...shown, ...ids(process).slice(3)])
  expect(ids(process).slice(3).toSorted()).toEqual([...many, ...late, ...last].toSorted())
  expect(ids(process).slice(453)).toEqual([...late, ...last])
  expect(process.stderr()).toBe('')
  expect(await process.end('SIGINT')).toBe(0)
})

test('a table has one heading and the filters of the list', async () => {
  workspace = await app.workspace()
  const [failed] = await log({ status: 500 }, { status: 200 })
  await using process = tail('--status', '500')
  await process.until(() => process.lines().length === 2)
  await log({ status: 201 })
  const [again] = await log({ status: 500 })
  await process.until(() => process.lines().length === 3)
  const [heading, first, second] = process.lines()
  expect(heading).toMatch(/^ID +CREATED_AT +METHOD +STATUS +MS +ERROR_CODE +PATH$/)
  const row = (id: string | undefined) => new RegExp(`^${id} +[-T:.\\d]+Z +GET +500 +1 +- +/v1/ping$`)
  expect([first, second]).toEqual([expect.stringMatching(row(failed)), expect.stringMatching(row(again))])
  expect(heading?.indexOf('PATH')).toBe(second?.indexOf('/v1/ping'))
  expect(await process.end('SIGTERM')).toBe(0)
})

test.for([
  [['--limit', '500'], 1, /^limit: must be <= 200$/m],
  [['--created-from', 'yesterday'], 1, /^created_from: must be a valid date-time$/m],
  [['--all'], 2, /'--tail' cannot be used with option '--all'/],
] as const)('with %s it ends with the error of the list', async ([args, code, message]) => {
  workspace = await app.workspace()
  await using process = tail(...args)
  expect(await process.ended).toBe(code)
  expect(process.stderr().trim()).toMatch(message)
})
