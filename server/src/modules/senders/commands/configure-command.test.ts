import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { freshDatabase } from '#test/support/database.ts'
import { gableWith } from '#test/support/gable.ts'

let databaseUrl: string
/** Options that select the workspace of the test. */
let here: string[]

const gable = gableWith(() => ({ DATABASE_URL: databaseUrl }))

beforeAll(async () => void (databaseUrl = await freshDatabase('sender_commands')))
beforeEach(async () => {
  const { id } = await gable.json('workspaces', 'create', '--name', 'Lantern & Oak')
  here = ['--workspace', id]
})

/** Creates a connection. Returns its id. */
async function connect(provider: string): Promise<string> {
  const account = ['--provider', provider, '--name', 'Main', '--account', 'office']
  const { code, out, err } = await gable(
    ['connections', 'create', ...here, ...account, '--secret-stdin', '--json'],
    'pass word\n',
  )
  expect([code, err]).toEqual([0, ''])
  return (JSON.parse(out) as { id: string }).id
}

const configure = (id: string, ...options: readonly string[]) =>
  gable(['connections', 'configure', id, ...here, ...options])

test('an email connection gets its mail servers and its DKIM key, which is never printed', async () => {
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
  const id = await connect('email')
  const { code, out } = await configure(id, '--setting', ...pairs, '--dkim-key', file, '--json')
  expect([code, JSON.parse(out)]).toMatchObject([0, { provider: 'email', settings }])
  expect(out).not.toContain(String(pem).split('\n')[1])
  const renamed = [...pairs.slice(0, 2), 'dkim_selector=gable2']
  expect(await configure(id, '--setting', ...renamed)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^settings\.dkim_selector +gable2$/m),
  })
})

test('other providers have other settings', async () => {
  const id = await connect('twilio')
  const { out } = await configure(id, '--setting', 'region=us1', 'edge=ashburn')
  expect(out).toMatch(/^settings\.region +us1\nsettings\.edge +ashburn$/m)
})

test.for([
  [[], 'Name --setting or --dkim-key'],
  [['--setting', 'smtp'], 'an equals sign'],
  [['--setting', 'smtp=mail.lantern.example'], 'smtp= must be smtp://host:port'],
  [['--setting', 'smtp=smtp://a.example', 'host=b'], 'host is not a setting of email'],
  [['--setting', 'smtp=smtp://a.example', 'dkim_domain=a.example', 'dkim_selector=b'], 'belong together'],
  [['--setting', 'smtp=smtp://10.0.0.5'], 'cannot be used: the address is not public'],
  [['--setting', 'smtp=smtp://a.example', '--dkim-key', '/no/such/file'], 'Cannot read /no/such/file'],
] as const)('%j is rejected', async ([options, message]) => {
  const { code, err } = await configure(await connect('email'), ...options)
  expect(code).not.toBe(0)
  expect(err).toContain(message)
})

test('the operator sets the registration of a real sender and the authentication of an email domain', async () => {
  const create = (...options: string[]) => gable.json('senders', 'create', ...here, ...options)
  const line = ['--kind', '10dlc', '--address', '(312) 555-0188', '--connection-id', await connect('twilio')]
  const states = ['brand=APPROVED', 'campaign=VERIFIED', 'number=REGISTERED']
  expect(await create(...line, ...states.flatMap((state) => ['--registration', state]))).toMatchObject({
    registration: { brand: 'APPROVED', campaign: 'VERIFIED', number: 'REGISTERED' },
  })
  await connect('email')
  const email = [
    '--kind',
    'email',
    '--address',
    'Hello@Lantern.example',
    '--registration',
    'domain_authenticated=true',
  ]
  expect(await create(...email)).toMatchObject({
    address: 'hello@lantern.example',
    registration: { domain_authenticated: true },
  })
})
