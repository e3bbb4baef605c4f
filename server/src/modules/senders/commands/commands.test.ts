import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freshDatabase } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'

type Json = Record<string, unknown>

let databaseUrl: string
/** Options that select the workspace of the test. */
let here: string[]

const gable = gableWith(() => ({ DATABASE_URL: databaseUrl }))

beforeAll(async () => void (databaseUrl = await freshDatabase('sender_commands')))
beforeEach(async () => {
  const { id } = await gable.json('workspace', 'create', '--name', 'Lantern & Oak')
  here = ['--workspace', id]
})

const line = ['--kind', '10dlc', '--address', '(312) 555-0188']
const registered = ['--state', 'brand=APPROVED', 'campaign=VERIFIED', 'number=REGISTERED']

async function connect(secret = 'first-secret'): Promise<Json> {
  const named = ['--provider', 'twilio', '--name', 'Twilio', '--account', 'AC1']
  const settings = ['--setting', 'region=us1', 'edge=ashburn']
  const { code, out, err } = await gable(
    ['connection', 'create', ...here, ...named, ...settings, '--secret-stdin', '--json'],
    `${secret}\n`,
  )
  expect([code, err]).toEqual([0, ''])
  return JSON.parse(out) as Json
}

test('a connection reads its credentials from standard input, and no command prints them', async () => {
  const made = await connect()
  expect(made).toMatchObject({
    provider: 'twilio',
    account: 'AC1',
    simulated: false,
    settings: { region: 'us1', edge: 'ashburn' },
  })
  const renewed = await gable(
    ['connection', 'update', String(made['id']), ...here, '--name', 'Main', '--secret-stdin'],
    'second-secret\n',
  )
  expect(renewed).toMatchObject({ code: 0, out: expect.stringMatching(/Old credentials until +2/) })
  const list = await gable(['connection', 'list', ...here])
  expect(list.out).toMatch(/^ID +PROVIDER +NAME +ACCOUNT +NOTE\n\w+ +twilio +Main +AC1 +-\n$/)
  const texts = [
    JSON.stringify(made),
    renewed.out,
    list.out,
    JSON.stringify(await gable.json('connection', 'list', ...here)),
  ]
  for (const text of texts) expect(text).not.toMatch(/first-secret|second-secret/)
})

test('a connection update without changes, or with empty credentials, is rejected', async () => {
  const { id } = await connect()
  expect(await gable.error('connection', 'update', String(id), ...here)).toMatchObject({ code: 2 })
  expect(await gable.error('connection', 'update', String(id), ...here, '--secret-stdin')).toMatchObject({
    code: 1,
  })
})

test('a sender is added, listed with what it is missing, registered, and made the default', async () => {
  const first = await gable.json('sender', 'add', ...here, ...line, '--name', 'Main line')
  expect(first).toMatchObject({ address: '+13125550188', is_default: true, pace: 1 })
  expect((await gable(['sender', 'list', ...here])).out).toMatch(
    /^ID +KIND +ADDRESS +NAME +DEFAULT +MISSING\n\w+ +10dlc +\+13125550188 +Main line +yes +The brand is not approved\n$/,
  )
  const states = await gable([
    'sender',
    'update',
    first.id,
    ...here,
    ...registered,
    '--name',
    '',
    '--pace',
    '2.5',
  ])
  expect(states.out).toMatch(
    /States +brand=APPROVED campaign=VERIFIED number=REGISTERED\nMissing +-\nPace +2.5/,
  )
  const second = ['--kind', 'tollfree', '--address', '+18335550188', '--state', 'verification=APPROVED']
  const { id, is_default } = await gable.json('sender', 'add', ...here, ...second)
  expect(is_default).toBe(false)
  await gable.json('sender', 'set-default', id, ...here)
  const senders = (await gable.json('sender', 'list', ...here)) as Json[]
  expect(senders.map((one) => [one['kind'], one['is_default']])).toEqual([
    ['10dlc', false],
    ['tollfree', true],
  ])
})

test('the operator sets the registration of a real sender and the authentication of an email domain', async () => {
  const { id } = await connect()
  const added = await gable.json('sender', 'add', ...here, ...line, ...registered, '--connection', String(id))
  expect(added.registration).toEqual({ brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' })
  const email = [
    '--kind',
    'email',
    '--address',
    'Hello@Lantern.example',
    '--state',
    'domain_authenticated=true',
  ]
  expect(await gable.json('sender', 'add', ...here, ...email)).toMatchObject({
    address: 'hello@lantern.example',
    registration: { domain_authenticated: true },
  })
})

test.each([
  [['--pace', 'fast'], '--pace'],
  [['--pace', '0'], '--pace'],
  [['--state', 'status=ACTIVE'], '--state'],
  [['--name', 'x'.repeat(121)], '--name'],
  [['--address', '+18335550188'], '--address'],
])('invalid sender options are rejected by name: %s', async (options, named) => {
  expect(await gable.error('sender', 'add', ...here, ...line, ...options)).toMatchObject({
    code: 1,
    error: { details: [expect.objectContaining({ path: named })] },
  })
})

test('domain_authenticated accepts only true or false', async () => {
  const add = ['sender', 'add', ...here, '--kind', 'email', '--address', 'a@lantern.example', '--state']
  const { error } = (await gable.error(...add, 'domain_authenticated=yes')) as {
    error: { details: object[] }
  }
  expect(error.details).toEqual([{ path: '--state', message: 'must be boolean' }])
  expect(await gable.json(...add, 'domain_authenticated=false')).toMatchObject({
    registration: { domain_authenticated: false },
  })
})

test('a template is added, listed, and approved', async () => {
  const text = ['--name', 'hello', '--language', 'en_US', '--category', 'UTILITY', '--body', 'Hi {{1}}']
  const { id } = await gable.json('template', 'add', ...here, ...text)
  await gable.json('template', 'update', id, ...here, '--status', 'APPROVED')
  expect((await gable(['template', 'list', ...here])).out).toMatch(
    /^ID +NAME +LANGUAGE +CATEGORY +STATUS\n\w+ +hello +en_US +UTILITY +APPROVED\n$/,
  )
  expect(await gable.json('template', 'update', id, ...here, '--body', 'Hello')).toMatchObject({
    status: 'PENDING',
  })
  expect(await gable.error('template', 'add', ...here, ...text)).toMatchObject({
    error: { code: 'conflict' },
  })
})

describe('an email connection', () => {
  const mailAccount = ['--provider', 'email', '--name', 'Mail', '--account', 'office']
  const create = (...rest: string[]) =>
    gable(
      ['connection', 'create', ...here, ...mailAccount, ...rest, '--secret-stdin', '--json'],
      'pass word\n',
    )

  test('stores its mail servers and never prints its DKIM key', async () => {
    const file = join(await mkdtemp(join(tmpdir(), 'gable-dkim-')), 'key.pem')
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' })
    await writeFile(file, pem)
    const settings = {
      smtp: 'smtps://mail.lantern.example',
      dkim_domain: 'lantern.example',
      dkim_selector: 'gable',
    }
    const pairs = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
    const { code, out, err } = await create('--setting', ...pairs, '--dkim-key', file)
    expect([code, err]).toEqual([0, ''])
    expect(JSON.parse(out)).toMatchObject({ provider: 'email', settings })
    expect(out).not.toContain(String(pem).split('\n')[1])
    const { id } = JSON.parse(out) as { id: string }
    const renamed = [...pairs.slice(0, 2), 'dkim_selector=gable2']
    const updated = await gable(['connection', 'update', id, ...here, '--setting', ...renamed])
    expect(updated).toMatchObject({ code: 0, out: expect.stringContaining('dkim_selector=gable2') })
  })

  test.for([
    [[], 'smtp= is required'],
    [['--setting', 'smtp=mail.lantern.example'], 'smtp= must be smtp://host:port'],
    [['--setting', 'smtp=smtp://a', 'host=b'], 'host is not a setting of email'],
    [['--setting', 'smtp=smtp://a', 'dkim_domain=a.example', 'dkim_selector=b'], 'belong together'],
    [['--setting', 'smtp=smtp://a', '--dkim-key', '/no/such/file'], 'Cannot read /no/such/file'],
  ] as const)('with %j is rejected', async ([options, message]) => {
    const { code, err } = await create(...options)
    expect(code).not.toBe(0)
    expect(err).toContain(message)
  })
})
