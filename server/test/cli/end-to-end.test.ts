import { beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'

let databaseUrl: string
/** Options that name this file's workspace, and one with nothing in it. */
let here: string[]
let fresh: string[]

const gable = gableWith(() => ({ DATABASE_URL: databaseUrl }))
const record = (args: readonly string[]): Promise<Record<string, unknown>> => gable.json(...args)

beforeAll(async () => {
  databaseUrl = await freshDatabase('cli_operations')
  const workspace = async (name: string) => [
    '--workspace',
    String((await record(['workspaces', 'create', '--name', name]))['id']),
  ]
  here = await workspace('Lantern & Oak')
  fresh = await workspace('Empty')
})

test('records are created with nested members, listed, retrieved, changed, and erased', async () => {
  const create = ['contacts', 'create', ...here, '--first-name', 'Ada', '--last-name', 'Reyes']
  const ada = await record([
    ...create,
    '--address',
    'city=Evanston',
    '--tags',
    'buyer,vip',
    '--stage',
    'NURTURE',
  ])
  expect(ada).toMatchObject({ address: { city: 'Evanston' }, tags: ['buyer', 'vip'], stage: 'NURTURE' })
  const id = String(ada['id'])

  const list = ['contacts', 'list', ...here, '--stage', 'NURTURE']
  expect(await record(list)).toEqual({ data: [ada], next_cursor: null, has_more: false })
  expect((await gable(list)).out).toMatch(
    /^ID +FIRST_NAME +LAST_NAME +.*STAGE.*TAGS.*\nc\w{24} +Ada +Reyes +/,
  )
  expect((await gable([...list, '--fields', 'tags,first_name'])).out).toBe(
    `ID                         TAGS        FIRST_NAME\n${id}  buyer, vip  Ada\n`,
  )
  const { out } = await gable(['contacts', 'retrieve', id, ...here])
  expect(out).toMatch(
    /^id +c\w{24}\nfirst_name +Ada\n[^]*\naddress\.city +Evanston\n[^]*\ntags +buyer, vip\n/,
  )

  const change = ['contacts', 'update', id, ...here, '--last-name', 'null', '--if-match']
  expect(await record([...change, String(ada['updated_at'])])).toMatchObject({ last_name: null })
  expect(await gable.error(...change, String(ada['updated_at']))).toMatchObject({
    code: 1,
    error: { code: 'precondition_failed' },
  })
  expect(await record(['contacts', 'delete', id, ...here])).toMatchObject({ id, erased: true })
})

test('a list says that there are more, and all pages are one list', async () => {
  const made: unknown[] = []
  for (const name of ['One', 'Two', 'Three'])
    made.unshift(await record(['offices', 'create', '--name', name, ...fresh]))
  const some = ['offices', 'list', '--limit', '2', ...fresh]
  const { out, err } = await gable(some)
  expect(out).toMatch(/^ID +NAME +.*\n.*Three.*\n.*Two.*\n$/)
  const [, cursor = ''] = /^There are more: --all, or --cursor (\S+)\n$/.exec(err) ?? []
  expect(await record([...some, '--cursor', cursor])).toMatchObject({ data: [made[2]], has_more: false })
  expect(await record([...some, '--all'])).toEqual({ data: made, next_cursor: null, has_more: false })
  expect(await gable(['teams', 'list', ...fresh])).toEqual({ code: 0, out: 'There are none.\n', err: '' })
})

test('the body comes from a file or standard input, and options override its members', async () => {
  const draft = JSON.stringify({ first_name: 'Bo', tags: ['seller'] })
  const create = ['contacts', 'create', ...here, '--data', '-', '--first-name', 'Bea', '--json']
  const { out } = await gable(create, draft)
  expect(JSON.parse(out)).toMatchObject({ first_name: 'Bea', tags: ['seller'] })
  const secret = ['connections', 'create', ...here, '--data', '-', '--secret-stdin']
  expect(await gable(secret, draft)).toMatchObject({ code: 2 })
})

test('a secret is read from standard input, and no command prints it', async () => {
  const account = ['--provider', 'twilio', '--name', 'Twilio', '--account', 'AC1', '--secret-stdin']
  const made = await gable(['connections', 'create', ...here, ...account], 'first-secret\n')
  expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^provider +twilio$/m) })
  const id = /^id +(\S+)/.exec(made.out)?.[1] ?? ''
  const renewed = await gable(
    ['connections', 'update', id, ...here, '--secret-stdin', '--json'],
    'second-secret\n',
  )
  expect(JSON.parse(renewed.out)).toMatchObject({ previous_secret_until: expect.any(String) })
  expect(await gable(['connections', 'update', id, ...here, '--secret-stdin'])).toMatchObject({ code: 1 })
  const list = await gable(['connections', 'list', ...here])
  expect(made.out + renewed.out + list.out).not.toMatch(/first-secret|second-secret/)
})

test('an action runs once for its idempotency key', async () => {
  const note = async () => {
    const { id } = await record(['contacts', 'create', ...here])
    return [
      'contacts',
      'notes',
      'create',
      String(id),
      ...here,
      '--body',
      'Called.',
      '--idempotency-key',
      'note-1',
    ]
  }
  const args = await note()
  expect(await record(args)).toEqual(await record(args))
  const others = await note()
  expect(await gable.error(...others)).toMatchObject({ code: 1, error: { code: 'idempotency_mismatch' } })
})

test('errors are those of the API, with everything that they say', async () => {
  const faults = await gable(['contacts', 'create', ...here, '--email', 'nope', '--stage', 'LOST'])
  expect(faults).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringMatching(/^These fields are invalid: email, stage\.\n {2}email: .*\n {2}stage: .*LEAD/),
  })
  const blocked = await gable.error(
    'messages',
    'create',
    ...here,
    '--channel',
    'sms',
    '--to',
    '+13125550177',
    '--body',
    'Hi',
  )
  expect(blocked).toMatchObject({
    code: 1,
    error: { code: 'compliance_blocked', reasons: expect.any(Array) },
  })
})

test('a command is in the only workspace, or in the one it names', async () => {
  const own = await freshDatabase('cli_alone')
  const alone = gableWith(() => ({ DATABASE_URL: own }))
  expect(await alone.error('contacts', 'list')).toMatchObject({
    error: { message: expect.stringContaining('gable workspaces create') },
  })
  const { id } = await alone.json('workspaces', 'create', '--name', 'Alone')
  expect(await alone.json('workspace', 'retrieve')).toMatchObject({ id, name: 'Alone' })
  await alone.json('workspaces', 'create', '--name', 'Second')
  expect(await alone.error('workspace', 'retrieve')).toMatchObject({
    code: 2,
    error: { code: 'usage', message: expect.stringContaining('--workspace') },
  })
  expect(await alone.json('workspace', 'retrieve', '--workspace', id)).toMatchObject({ name: 'Alone' })
})

test('one part of a response is printed as JSON', async () => {
  await record(['teams', 'create', '--name', 'Listings', ...here])
  const pick = (path: string) => gable(['teams', 'list', ...here, '--pick', path])
  expect(await pick('data.0.name')).toEqual({ code: 0, out: '"Listings"\n', err: '' })
  expect(await pick('data.7.name')).toMatchObject({ code: 2, out: '' })
})
