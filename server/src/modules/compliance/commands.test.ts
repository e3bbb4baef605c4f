import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'
import { createProgram } from '../../cli/program.ts'
import { findSuppressions } from './find-suppressions.ts'
import { subjectOf } from './suppression.ts'

let app: TestApp
let workspace: TestWorkspace
let folder: string

const run = gableWith(() => ({ DATABASE_URL: app.databaseUrl }))

const wordsOf = ([command = '', ...rest]: readonly string[]) => [
  'suppression',
  command,
  '--workspace',
  workspace.id,
  ...rest,
]
const gable = (args: readonly string[], input = '') => run(wordsOf(args), input)
const output = (...args: string[]): Promise<Record<string, unknown>> => run.json(...wordsOf(args))
const errorOutput = (...args: string[]) => run.error(...wordsOf(args))

const fileOf = async (text: string): Promise<string> => {
  const file = join(folder, 'list.txt')
  await writeFile(file, text)
  return file
}

const count = async (): Promise<unknown> =>
  (
    await asOwner(app.databaseUrl, 'select count(*)::int from suppressions where workspace_id = $1', [
      workspace.id,
    ])
  )[0]?.['count']

beforeAll(async () => {
  app = await testApp({ now: new Date() })
  folder = await mkdtemp(join(tmpdir(), 'gable-list-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await app[Symbol.asyncDispose]()
})
beforeEach(async () => {
  workspace = await app.workspace()
})

test('the command line adds, checks, lists, and lifts an opt-out of a phone number', async () => {
  const agent = await workspace.credential()
  const named = ['--phone', '(312) 555-0186', '--kind', 'opted_out']
  const row = {
    id: expect.stringMatching(/^c[a-z0-9]{24}$/),
    subject_type: 'phone',
    contact_id: null,
    kind: 'opted_out',
    channels: ['sms', 'voice_auto', 'whatsapp'],
    source: 'operator',
    actor: { type: 'operator', id: null, name: 'gable' },
    created_at: expect.any(String),
    lifted_at: null,
    lifted_by: null,
  }
  expect(await output('add', ...named)).toEqual({ ...row, changed: true })
  expect(await output('add', ...named)).toEqual({ ...row, changed: false })
  const draft = { phone: '+13125550186', source: 'Website' }
  expect((await agent.post('/leads', draft)).body.ai_outbound_blockers).toContain('opted_out')

  const check = ['check', '--phone', '+1 312 555 0186']
  const [checked, text, list] = await Promise.all([output(...check), gable(check), gable(['list'])])
  expect(checked).toEqual([row])
  expect(text.out).toBe(list.out)
  expect(list.out).toMatch(/^ID +KIND +OF [^]*opted_out +phone +sms voice_auto whatsapp +operator +gable /)

  expect(await output('lift', ...named)).toEqual({
    ...row,
    lifted_at: expect.any(String),
    lifted_by: row.actor,
  })
  expect((await gable(check)).out).toBe('There are no active suppressions.\n')
  expect(await errorOutput('lift', ...named)).toMatchObject({ code: 1, error: { code: 'not_found' } })
  expect([await output('list'), await output('list', '--lifted')]).toMatchObject([
    [],
    [{ kind: 'opted_out' }],
  ])
})

test('a suppression has the default channels of its kind, or the given ones', async () => {
  const agent = await workspace.credential()
  const { id } = (await agent.post('/contacts')).body
  await output('add', '--email', 'Ada@Reyes.example', '--kind', 'hard_bounce')
  await output('add', '--contact', id, '--kind', 'opted_out', '--channels', 'email, sms')
  const [byAddress, byContact, manual] = await Promise.all([
    output('check', '--email', 'ada@reyes.example'),
    output('check', '--contact', id),
    output('list', '--kind', 'manual'),
  ])
  expect(byAddress).toMatchObject([{ kind: 'hard_bounce', channels: ['email'] }])
  expect(byContact).toMatchObject([{ contact_id: id, channels: ['email', 'sms'] }])
  expect(manual).toEqual([])
})

test('an import reports bad lines by number, and a second import adds nothing', async () => {
  const lines = [
    '\uFEFF# Opted out',
    '312-555-0186',
    '',
    '+1 (312) 555-0143\r',
    'phone',
    'Ada@Reyes.example',
    '3125550186',
  ]
  const file = await fileOf(`${lines.join('\n')}\n+1555\n312.555.0144`)
  const add = ['add', '--from-file', file, '--kind', 'opted_out']
  const first = await gable([...add, '--json'])
  const faults = [
    { line: 5, message: 'phone is not a phone number' },
    { line: 8, message: 'phone is not a phone number' },
  ]
  expect([first.code, JSON.parse(first.out)]).toEqual([
    1,
    { lines: 7, suppressed: 4, unchanged: 1, refused: 2, faults },
  ])
  const again = await gable(add)
  expect(again).toMatchObject({
    code: 1,
    out: '7 lines: 0 suppressed, 5 were already, 2 not taken.\nLine 5: phone is not a phone number\nLine 8: phone is not a phone number\n',
  })
  expect(await count()).toBe(4)
})

test('an import reports a line that does not fit the kind', async () => {
  const { out } = await gable(
    ['add', '--from-file', '-', '--kind', 'hard_bounce', '--json'],
    'a@b.example\n3125550186',
  )
  expect(JSON.parse(out)).toMatchObject({
    suppressed: 1,
    faults: [{ line: 2, message: 'kind can only be about an email address' }],
  })
  const dnc = await gable(
    ['add', '--from-file', '-', '--kind', 'internal_dnc', '--json'],
    '3125550186\na@b.example',
  )
  expect(JSON.parse(dnc.out)).toMatchObject({
    suppressed: 1,
    faults: [
      {
        line: 2,
        message: 'kind can only be about a phone number or a contact',
      },
    ],
  })
})

test('an import from standard input handles many batches and an overlong line', async () => {
  const lines = Array.from({ length: 2500 }, (_, i) => `+1312${2_000_000 + i}`)
  const input = `${lines.join('\n')}\n${'9'.repeat(5_000_000)}\n+13125550186\n`
  const { code, out } = await gable(['add', '--from-file', '-', '--kind', 'litigator', '--json'], input)
  expect([code, JSON.parse(out)]).toMatchObject([
    1,
    { lines: 2502, suppressed: 2501, refused: 1, faults: [{ line: 2501 }] },
  ])
  expect(await count()).toBe(2501)
  const last = subjectOf('phone', '+13125550186')
  expect((await findSuppressions(workspace.ctx, [last])).get(last.value)).toMatchObject([
    { source: 'import' },
  ])
})

test('each error states its cause, and nothing is added', async () => {
  const kind = ['--kind', 'opted_out']
  const [phone, contact, file, channels] = await Promise.all([
    errorOutput('add', '--phone', 'STOP', ...kind),
    errorOutput('add', '--contact', 'c'.padEnd(25, '0'), ...kind),
    errorOutput('add', '--from-file', join(folder, 'none.txt'), ...kind),
    errorOutput('add', '--phone', '3125550186', '--kind', 'manual', '--channels', 'sms'),
  ])
  const says = (code: string, message: string) => ({ code: 1, out: '', error: { code, message } })
  expect([phone, contact, file, channels]).toMatchObject([
    says('validation_failed', 'phone: is not a phone number'),
    says('not_found', 'contact_id does not exist in this workspace.'),
    says('failed', `Cannot read ${join(folder, 'none.txt')} (ENOENT).`),
    says('validation_failed', 'channels: are allowed only for an opt-out'),
  ])
  expect(await count()).toBe(0)
})

test('without the secret that sealed their key, suppressions can be neither read nor added', async () => {
  await output('add', '--phone', '3125550186', '--kind', 'opted_out')
  const lose = "update suppression_keys set sealed = '\\x01' || sealed where workspace_id = $1"
  await asOwner(app.databaseUrl, lose, [workspace.id])
  for (const args of [['check'], ['add', '--kind', 'opted_out'], ['lift', '--kind', 'opted_out']])
    expect(await errorOutput(...args, '--phone', '3125550186')).toMatchObject({
      code: 1,
      error: { code: 'suppressions_unreadable', message: expect.stringContaining('APP_SECRETS') },
    })
})

test.for([
  ['add --workspace ID --phone 1 --email 2 --kind manual', /cannot be used with/],
  ['add --workspace ID --phone 1 --from-file F --kind manual', /cannot be used with/],
  ['add --workspace ID --phone 1', /--kind/],
  [
    'add --workspace ID --phone 1 --kind opted_out --channels voice',
    /Name some of sms, whatsapp, voice_auto/,
  ],
  ['add --workspace ID --phone 1 --kind lost', /Allowed choices are opted_out, internal_dnc/],
  ['list --workspace ID --limit 0', /whole number from 1 to 1000/],
  ['lift --workspace ID --phone 1', /--kind/],
] as const)('%s is a usage error', async ([command, message]) => {
  const words = ['suppression', ...command.split(' ')]
  await expect(createProgram().parseAsync(words, { from: 'user' })).rejects.toThrow(message)
})

test('a phone number, an email address, or a contact is required', async () => {
  for (const args of [['check'], ['lift', '--kind', 'manual'], ['add', '--kind', 'manual']])
    expect(await errorOutput(...args)).toMatchObject({ code: 2, error: { code: 'usage' } })
})
