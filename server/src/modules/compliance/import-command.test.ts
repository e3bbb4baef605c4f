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
  'suppressions',
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

test('an opt-out of a phone number is made, found by it, listed, and lifted', async () => {
  const agent = await workspace.credential()
  const row = {
    id: expect.stringMatching(/^c[a-z0-9]{24}$/),
    subject_type: 'phone',
    kind: 'opted_out',
    channels: ['sms', 'voice_auto', 'whatsapp'],
    source: 'api',
    actor: { type: 'operator', id: null },
    lifted_at: null,
  }
  const made = await output('create', '--phone', '(312) 555-0186', '--kind', 'opted_out')
  expect(made).toMatchObject(row)
  const draft = { phone: '+13125550186', source: 'Website' }
  expect((await agent.post('/leads', draft)).body.ai_outbound_blockers).toContain('opted_out')

  const check = ['list', '--phone', '+1 312 555 0186', '--no-lifted']
  expect(await output(...check)).toMatchObject({ data: [row] })
  expect((await gable(check)).out).toMatch(/^ID +.*KIND.*CHANNELS[^]*opted_out.*sms, voice_auto, whatsapp/)
  expect(await output('lift', String(made['id']))).toMatchObject({ lifted_at: expect.any(String) })
  expect((await gable(check)).out).toBe('There are none.\n')
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
  const add = ['import', file, '--kind', 'opted_out']
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
  const { out } = await gable(['import', '-', '--kind', 'hard_bounce', '--json'], 'a@b.example\n3125550186')
  expect(JSON.parse(out)).toMatchObject({
    suppressed: 1,
    faults: [{ line: 2, message: 'kind can only be about an email address' }],
  })
  const dnc = await gable(['import', '-', '--kind', 'internal_dnc', '--json'], '3125550186\na@b.example')
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
  const { code, out } = await gable(['import', '-', '--kind', 'litigator', '--json'], input)
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
  const none = join(folder, 'none.txt')
  expect(await errorOutput('import', none, '--kind', 'opted_out')).toEqual({
    code: 1,
    out: '',
    error: { code: 'failed', message: `Cannot read ${none} (ENOENT).` },
  })
  expect(await count()).toBe(0)
})

test('without the secret that sealed their key, suppressions can be neither read nor added', async () => {
  await gable(['import', '-', '--kind', 'opted_out'], '3125550186')
  const lose = "update suppression_keys set sealed = '\\x01' || sealed where workspace_id = $1"
  await asOwner(app.databaseUrl, lose, [workspace.id])
  const unreadable = {
    code: 1,
    error: { code: 'suppressions_unreadable', message: expect.stringContaining('APP_SECRETS') },
  }
  expect(await errorOutput('list', '--phone', '3125550186')).toMatchObject(unreadable)
  expect(await errorOutput('create', '--kind', 'opted_out', '--phone', '3125550186')).toMatchObject(
    unreadable,
  )
})

test.for([
  ['import F', /--kind/],
  ['import F --kind lost', /Allowed choices are opted_out, internal_dnc/],
  ['import F --kind opted_out --channels voice', /Name some of sms, whatsapp, voice_auto/],
] as const)('%s is a usage error', async ([command, message]) => {
  const words = ['suppressions', ...command.split(' ')]
  await expect(createProgram().parseAsync(words, { from: 'user' })).rejects.toThrow(message)
})
