import { execFile } from 'node:child_process'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Command } from 'commander'
import { beforeAll, expect, inject, test } from 'vitest'
import { appSecret, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { type Outcome, gableWith } from '#test/support/gable.ts'
import { allScopes } from '../modules/access/public.ts'
import { createProgram } from './program.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))
const idShape = expect.stringMatching(/^c[a-z0-9]{24}$/)

let databaseUrl: string
/** Options that name this file's workspace. */
let here: string[]

const gable = (args: readonly string[], url = databaseUrl) => gableWith(() => ({ DATABASE_URL: url }))(args)

/** Runs the command in a separate process. */
async function start(args: string[]): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const env = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, APP_SECRET: appSecret }
  execFile(process.execPath, [main, ...args], { env }, (error, out, err) =>
    resolve({ code: error === null ? 0 : Number(error.code), out, err }),
  )
  return promise
}

/** The single value that a successful command prints to standard output. */
const output = (args: readonly string[], url = databaseUrl): Promise<unknown> =>
  gableWith(() => ({ DATABASE_URL: url })).json(...args)

const record = async (args: string[]) => (await output(args)) as Record<string, unknown>

/** The error of a failed command. */
const errorOutput = (args: readonly string[], url = databaseUrl) =>
  gableWith(() => ({ DATABASE_URL: url })).error(...args)

beforeAll(async () => {
  databaseUrl = await freshDatabase('cli')
  here = ['--workspace', String((await record(['workspaces', 'create', '--name', 'Lantern & Oak']))['id'])]
})

test('workspaces are created and listed, as JSON and as text', async () => {
  const created = await record(['workspaces', 'create', '--name', 'Évora Homes'])
  expect(created).toEqual({
    id: idShape,
    name: 'Évora Homes',
    timezone: 'America/New_York',
    currency: 'USD',
    test_mode: false,
  })
  const [json, text] = await Promise.all([output(['workspaces', 'list']), gable(['workspaces', 'list'])])
  expect(json).toContainEqual(expect.objectContaining(created))
  expect(text).toMatchObject({ code: 0, err: '' })
  expect(text.out).toMatch(/^ID +NAME +TIMEZONE +CURRENCY +TEST.MODE *\n/i)
  expect(text.out).toContain(`${String(created['id'])}  Évora Homes`)
})

test('a member is created once per address, listed, and deactivated', async () => {
  const as = (email: string) => [
    'members',
    'create',
    ...here,
    '--email',
    email,
    '--name',
    'Ada Reyes',
    '--role',
    'agent',
  ]
  const ada = await record(as('ada@lantern.example'))
  expect(ada).toMatchObject({
    id: idShape,
    email: 'ada@lantern.example',
    role: 'agent',
    active: true,
    office_id: null,
  })
  const [again, off] = await Promise.all([
    errorOutput(as('ADA@lantern.example')),
    output(['members', 'update', String(ada['id']), '--no-active', ...here]),
  ])
  const message = 'ADA@lantern.example is already a member of this workspace.'
  expect(again).toEqual({ code: 1, out: '', error: { code: 'conflict', message } })
  expect(off).toMatchObject({ id: ada['id'], active: false })
  const lead = await output(['members', 'update', String(ada['id']), '--team-lead', ...here])
  expect(lead).toMatchObject({ id: ada['id'], team_lead: true })
  expect((await gable(['members', 'list', ...here])).out).toMatch(
    /Ada Reyes +ada@lantern\.example +agent +yes +no +/,
  )
})

test('offices contain teams, and teams contain members', async () => {
  const office = String((await record(['offices', 'create', '--name', 'Evanston', ...here]))['id'])
  const bo = ['--email', 'bo@lantern.example', '--name', 'Bo', '--role', 'admin', '--office-id', office]
  const [team, member, outsider] = await Promise.all([
    record(['teams', 'create', '--name', 'Listings', '--office-id', office, ...here]),
    record(['members', 'create', ...bo, ...here]),
    errorOutput(['teams', 'create', '--name', 'Nowhere', '--office-id', 'nope', ...here]),
  ])
  expect(outsider).toMatchObject({ code: 1, error: { code: 'not_found' } })
  const put = ['teams', 'members', 'create', String(team['id']), '--member-id', String(member['id']), ...here]
  expect([(await gable(put)).code, (await gable(put)).code]).toEqual([0, 0])
  const [offices, teams] = await Promise.all([
    record(['offices', 'list', ...here]),
    record(['teams', 'list', ...here]),
  ])
  expect(offices['data']).toMatchObject([{ id: office, name: 'Evanston' }])
  expect(teams['data']).toMatchObject([{ name: 'Listings', office_id: office, member_ids: [member['id']] }])
})

test('a key works on a running server until a command revokes it', async () => {
  await using app = await testApp({ databaseUrl, now: new Date() })
  const made = await record([
    'api-keys',
    'create',
    ...here,
    '--name',
    'form',
    '--scopes',
    'contacts:read contacts:write',
  ])
  expect(made).toMatchObject({ id: idShape, scopes: ['contacts:read', 'contacts:write'] })
  expect(Math.round((Date.parse(String(made['expires_at'])) - Date.now()) / 86_400_000)).toBe(90)
  const ping = async () =>
    (await fetch(`${app.base}/ping`, { headers: { authorization: `token ${String(made['key'])}` } })).status
  expect(await ping()).toBe(200)
  const revoked = await output(['api-keys', 'revoke', String(made['id']), ...here])
  expect(revoked).toMatchObject({ id: made['id'], revoked_at: expect.any(String) })
  expect(await ping()).toBe(401)
  const { out } = await gable(['api-keys', 'list', ...here])
  expect(out).toMatch(
    new RegExp(`${String(made['id'])} +form +gbl_key_.{4} +contacts:read, contacts:write +`),
  )
  expect(out).not.toContain(made['key'])
})

test('a key without an expiry is made by null, and an expiry is at most a year away', async () => {
  const create = ['api-keys', 'create', ...here, '--name', 'k', '--scopes', 'all', '--expires-in-days']
  const [forever, tooLong] = await Promise.all([record([...create, 'null']), errorOutput([...create, '366'])])
  expect(forever).toMatchObject({ expires_at: null, scopes: allScopes })
  expect(tooLong).toMatchObject({
    code: 1,
    error: { code: 'validation_failed', message: 'expires_in_days: must be <= 365' },
  })
})

test('errors are one sentence on standard error; usage errors exit with 2, others with 1', async () => {
  const [option, command, workspace, scope] = await Promise.all([
    start(['workspaces', 'create']),
    errorOutput(['workspaces', 'crate']),
    start(['api-keys', 'list', '--workspace', 'nope']),
    errorOutput(['api-keys', 'create', ...here, '--name', 'k', '--scopes', 'contacts:reed']),
  ])
  expect(option).toEqual({
    code: 2,
    out: '',
    err: "Required option '--name <name>' not specified. See --help.\n",
  })
  expect(command).toMatchObject({
    code: 2,
    out: '',
    error: { code: 'usage', message: expect.stringContaining('create') },
  })
  expect(workspace).toEqual({ code: 1, out: '', err: 'There is no workspace nope.\n' })
  expect(scope).toMatchObject({
    code: 1,
    out: '',
    error: { code: 'validation_failed', details: [{ path: 'scopes.0' }] },
  })
})

test('an unreachable or unmigrated database is reported without its password', async () => {
  const { serverUrl, prefix } = inject('databases')
  await asOwner(serverUrl, `create database ${prefix}_cli_empty`)
  const empty = new URL(serverUrl)
  empty.pathname = `/${prefix}_cli_empty`
  const [away, unmigrated] = await Promise.all([
    gable(['workspaces', 'list'], 'postgres://operator:hush@127.0.0.1:1/none'),
    gable(['workspaces', 'list'], empty.href),
  ])
  expect(away).toEqual({
    code: 1,
    out: '',
    err: 'Cannot reach the database of DATABASE_URL at 127.0.0.1:1: ECONNREFUSED.\n',
  })
  const hint = 'The database is empty. Bring it up to date with: npm run -s gable -- migrate\n'
  expect(unmigrated).toEqual({ code: 1, out: '', err: hint })
  const applied = expect.arrayContaining(['0001_roles'])
  expect(await output(['migrate'], empty.href)).toEqual({ applied })
  expect(await output(['migrate'], empty.href)).toEqual({ applied: [] })
})

test('the OpenAPI document is printed, or written to a file, with a final newline', async () => {
  const file = join(tmpdir(), `gable-openapi-${process.pid}.json`)
  const [printed, written] = await Promise.all([gable(['openapi']), output(['openapi', '--out', file])])
  expect(written).toEqual({ out: file })
  expect(await readFile(file, 'utf8')).toBe(printed.out)
  expect(printed.out).toMatch(/^\{\n {2}"openapi": "3\.1\.\d",[^]*\n\}\n$/)
  await rm(file)
})

test('seed --scale adds exactly that many contacts, each with its event, and reports the count', async () => {
  const { code, out, err } = await gable(['seed', '--scale', '1500'])
  expect({ code, err }).toEqual({ code: 0, err: expect.stringContaining('1,500 of 1,500 contacts') })
  const [, id] = /^(c\w{24}) {2}1500 contacts {2}gbl_key_\w{49}$/m.exec(out) ?? []
  const counts = `select (select count(*)::int from contacts where workspace_id = $1) as contacts,
    (select count(*)::int from events where workspace_id = $1 and name = 'contact.created') as events`
  expect(await asOwner(databaseUrl, counts, [id])).toEqual([{ contacts: 1500, events: 1500 }])
})

test('every command has --json, and an example under --help', () => {
  const leaves = (command: Command): Command[] =>
    command.commands.length === 0 ? [command] : command.commands.flatMap(leaves)
  for (const command of leaves(createProgram())) {
    let help = ''
    command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp()
    expect(help, command.name()).toMatch(/--json[^]*Example:\n {2}npm run -s gable -- \w/)
  }
})

test('api prints the response, and an error response fails the command', async () => {
  const created = await record(['api', 'POST', '/contacts', ...here, '--data', '{"first_name": "Ada"}'])
  expect(created).toMatchObject({ id: idShape, first_name: 'Ada' })
  const page = await record(['api', 'GET', 'contacts?q=ada&fields=id', ...here])
  expect(page['data']).toEqual([{ id: created['id'] }])
  expect(
    await errorOutput([
      'api',
      'PATCH',
      `/contacts/${String(created['id'])}`,
      ...here,
      '--data',
      '{"stage": 1}',
    ]),
  ).toMatchObject({
    code: 1,
    out: '',
    error: { code: 'validation_failed', details: [{ path: 'stage' }] },
  })
  expect(await errorOutput(['api', 'GET', '/nothing', ...here])).toMatchObject({
    code: 1,
    error: { code: 'not_found' },
  })
  expect(await errorOutput(['api', 'POST', '/contacts', ...here, '--data', '{'])).toMatchObject({ code: 1 })
})
