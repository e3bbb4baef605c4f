import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, inject, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const idShape = expect.stringMatching(/^c[a-z0-9]{24}$/)

interface Outcome {
  code: number
  out: string
  err: string
  /** Standard output as the one JSON value that it must be. */
  json: Record<string, unknown>
}

let databaseUrl: string
let workspaceId: string

/** Runs the command line as an operator does, in a process of its own. */
function gable(args: string[], url = databaseUrl): Promise<Outcome> {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: url,
    APP_SECRET: 'a secret of thirty-two characters',
  }
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  execFile(
    join(root, 'node_modules/.bin/node'),
    [join(root, 'server/src/cli/main.ts'), ...args],
    { env, maxBuffer: 1e8 },
    (error, out, err) => {
      const code = error === null ? 0 : Number(error.code)
      resolve({ code, out, err, json: args.includes('--json') && code === 0 ? JSON.parse(out) : undefined })
    },
  )
  return promise
}

beforeAll(async () => {
  databaseUrl = await freshDatabase('cli')
  workspaceId = (await gable(['workspace', 'create', '--name', 'Lantern & Oak', '--json'])).json.id
})

test('workspaces are created and listed, as JSON and as text', async () => {
  const created = await gable(['workspace', 'create', '--name', 'Évora Homes', '--json'])
  expect(created).toMatchObject({ code: 0, err: '', json: { id: idShape, name: 'Évora Homes' } })
  const [json, text] = await Promise.all([
    gable(['workspace', 'list', '--json']),
    gable(['workspace', 'list']),
  ])
  expect(json.json).toContainEqual(expect.objectContaining(created.json))
  expect(text.out).toMatch(/^ID +NAME +CREATED\n/)
  expect(text.out).toContain(`${created.json.id}  Évora Homes`)
})

test('a member is created once per address, listed, and deactivated', async () => {
  const at = ['--workspace', workspaceId]
  const create = (email: string) =>
    gable(['member', 'create', ...at, '--email', email, '--name', 'Ada Reyes', '--role', 'agent', '--json'])
  const ada = await create('ada@lantern.example')
  expect(ada.json).toMatchObject({
    id: idShape,
    name: 'Ada Reyes',
    email: 'ada@lantern.example',
    role: 'agent',
    active: true,
    office_id: null,
  })
  const [again, off] = await Promise.all([
    create('ADA@lantern.example'),
    gable(['member', 'deactivate', ada.json.id, ...at, '--json']),
  ])
  expect(again).toMatchObject({ code: 1, out: '' })
  expect(JSON.parse(again.err)).toEqual({
    error: { code: 'conflict', message: 'ADA@lantern.example is a member of this workspace already.' },
  })
  expect(off.json).toMatchObject({ id: ada.json.id, active: false })
  expect((await gable(['member', 'list', ...at])).out).toMatch(
    /Ada Reyes +ada@lantern\.example +agent +no +-/,
  )
})

test('offices hold teams, and teams hold members', async () => {
  const at = ['--workspace', workspaceId, '--json']
  const office = (await gable(['office', 'create', '--name', 'Evanston', ...at])).json
  const [team, member] = await Promise.all([
    gable(['team', 'create', '--name', 'Listings', '--office', office.id, ...at]),
    gable([
      'member',
      'create',
      '--email',
      'bo@lantern.example',
      '--name',
      'Bo',
      '--role',
      'admin',
      '--office',
      office.id,
      ...at,
    ]),
  ])
  expect(member.json).toMatchObject({ office_id: office.id })
  const put = () => gable(['team', 'add', '--team', team.json.id, '--member', member.json.id, ...at])
  expect([(await put()).code, (await put()).code]).toEqual([0, 0])
  const [offices, teams, stranger] = await Promise.all([
    gable(['office', 'list', ...at]),
    gable(['team', 'list', ...at]),
    gable(['team', 'create', '--name', 'Nowhere', '--office', 'nope', ...at]),
  ])
  expect(offices.json).toMatchObject([{ id: office.id, name: 'Evanston' }])
  expect(teams.json).toMatchObject([{ name: 'Listings', office_id: office.id, member_ids: [member.json.id] }])
  expect(JSON.parse(stranger.err)).toMatchObject({ error: { code: 'not_found' } })
})

test('a key works on a running server until it is revoked beside it', async () => {
  await using app = await testApp({ databaseUrl, now: new Date() })
  const { json } = await gable([
    'key',
    'create',
    '--workspace',
    workspaceId,
    '--name',
    'form',
    '--scopes',
    'contacts:read contacts:write',
    '--json',
  ])
  expect(json).toMatchObject({ id: idShape, scopes: ['contacts:read', 'contacts:write'] })
  expect(Math.round((Date.parse(json.expires_at) - Date.now()) / 86_400_000)).toBe(90)
  const ping = async () =>
    (await fetch(`${app.base}/ping`, { headers: { authorization: `token ${json.key}` } })).status
  expect(await ping()).toBe(200)
  expect((await gable(['key', 'revoke', json.id, '--json'])).json).toMatchObject({
    id: json.id,
    revoked_at: expect.any(String),
  })
  expect(await ping()).toBe(401)
  const list = await gable(['key', 'list', '--workspace', workspaceId])
  expect(list.out).toMatch(new RegExp(`${json.id} +gbl_key_.{4}… +form +revoked`))
  expect(list.out).not.toContain(json.key)
})

test('a key without an end must be asked for by name, and none lasts beyond a year', async () => {
  const create = (...more: string[]) =>
    gable(['key', 'create', '--workspace', workspaceId, '--name', 'k', '--scopes', 'all', '--json', ...more])
  const [forever, year, tooLong, both] = await Promise.all([
    create('--never-expires'),
    create('--expires-days', '365'),
    create('--expires-days', '366'),
    create('--never-expires', '--expires-days', '5'),
  ])
  expect(forever.json).toMatchObject({ expires_at: null })
  expect(forever.json.scopes).toHaveLength(17)
  expect(year.json).toMatchObject({ expires_at: expect.any(String) })
  expect([tooLong.code, both.code]).toEqual([2, 2])
})

test('what is wrong is one sentence on standard error: usage exits 2, all else 1', async () => {
  const [option, command, none, workspace, scope] = await Promise.all([
    gable(['workspace', 'create']),
    gable(['workspace', 'crate', '--json']),
    gable(['key', '--json']),
    gable(['key', 'list', '--workspace', 'nope']),
    gable([
      'key',
      'create',
      '--workspace',
      workspaceId,
      '--name',
      'k',
      '--scopes',
      'contacts:reed',
      '--json',
    ]),
  ])
  expect(option).toMatchObject({
    code: 2,
    out: '',
    err: "Required option '--name <name>' not specified. See --help.\n",
  })
  expect(command).toMatchObject({ code: 2, out: '' })
  expect(JSON.parse(command.err)).toMatchObject({
    error: { code: 'usage', message: expect.stringContaining('create') },
  })
  expect(none).toMatchObject({ code: 2, out: '' })
  expect(workspace).toMatchObject({ code: 1, out: '', err: 'There is no workspace nope.\n' })
  expect(JSON.parse(scope.err)).toMatchObject({
    error: { code: 'validation_failed', details: [{ path: 'scopes' }] },
  })
})

test('a database that is away, or was never migrated, is named without its password', async () => {
  const { serverUrl, prefix } = inject('databases')
  await asOwner(serverUrl, `create database ${prefix}_cli_empty`)
  const empty = new URL(serverUrl)
  empty.pathname = `/${prefix}_cli_empty`
  const [away, unmigrated] = await Promise.all([
    gable(['workspace', 'list'], 'postgres://somebody:hush@127.0.0.1:1/none'),
    gable(['workspace', 'list', '--json'], empty.href),
  ])
  expect(away).toMatchObject({
    code: 1,
    out: '',
    err: 'Cannot connect to the database at 127.0.0.1:1: ECONNREFUSED.\n',
  })
  expect(JSON.parse(unmigrated.err).error.message).toBe(
    'The database is empty. Bring it up to date with: npm run -s gable -- migrate',
  )
  expect((await gable(['migrate', '--json'], empty.href)).json.applied).toContain('0001_roles-and-directory')
  expect((await gable(['migrate', '--json'], empty.href)).json).toEqual({ applied: [] })
})

test('the OpenAPI document is printed, or written to a file, with a final newline', async () => {
  const file = join(tmpdir(), `gable-openapi-${process.pid}.json`)
  const [printed, written] = await Promise.all([
    gable(['openapi']),
    gable(['openapi', '--out', file, '--json']),
  ])
  expect(written.json).toEqual({ out: file })
  expect(await readFile(file, 'utf8')).toBe(printed.out)
  expect(printed.out).toMatch(/^\{\n {2}"openapi": "3\.1\.\d",[^]*\n\}\n$/)
  await rm(file)
})

test('seeding at scale adds just so many contacts, says how fast, and gives a key that works', async () => {
  const seeded = await gable(['seed', '--scale', '1500', '--json'])
  expect(seeded.json).toMatchObject({
    workspaces: [{ id: idShape, contacts: 1500, api_key: expect.stringMatching(/^gbl_key_/) }],
  })
  expect(seeded.err).toContain('1,500 of 1,500 contacts')
  const { id } = seeded.json.workspaces[0]
  const counts = `select (select count(*)::int from contacts where workspace_id = $1) as contacts,
    (select count(*)::int from events where workspace_id = $1 and name = 'contact.created') as events`
  expect(await asOwner(databaseUrl, counts, [id])).toEqual([{ contacts: 1500, events: 1500 }])
})

test('every command explains itself with an example', async () => {
  const nouns = ['workspace', 'member', 'office', 'team', 'key'].map((noun) => [noun])
  const verbs = [
    ['serve'],
    ['migrate'],
    ['seed'],
    ['openapi'],
    ['key', 'create'],
    ['key', 'revoke'],
    ['member', 'activate'],
    ['team', 'add'],
  ]
  const help = await Promise.all([...nouns, ...verbs].map((words) => gable([...words, '--help'])))
  expect(help.map(({ code }) => code)).toEqual(help.map(() => 0))
  for (const { out } of help.slice(nouns.length))
    expect(out).toMatch(/--json[^]*Example:\n {2}npm run -s gable -- /)
})
