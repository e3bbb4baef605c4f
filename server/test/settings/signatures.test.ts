import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { findSealedConnection } from '../../src/modules/senders/connection-queries.ts'
import { createConnection, listConnections, openAccount } from '../../src/modules/senders/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { asOwner } from '../support/database.ts'
import { type User, anOwner, issuesIn, textOf } from './scene.ts'

let app: TestApp
let owner: User

beforeAll(async () => void (app = await testApp()))
beforeEach(async () => void (owner = await anOwner(app)))
afterAll(() => app[Symbol.asyncDispose]())

const list = () => `${owner.base}/signatures`
const documenso = {
  name: 'Ours',
  account: 'Lantern & Oak',
  url: 'https://sign.lantern.example',
  api_token: 'the-token',
  webhook_secret: 'the-secret',
}

async function connected() {
  const { ctx } = owner.workspace
  const [connection] = await listConnections(ctx.directory, ctx.workspaceId)
  const account = connection && (await openAccount({ ...ctx, clock: app.clock }, connection.id))
  if (connection === undefined || account === undefined) throw new Error('Nothing is connected.')
  return { connection, secrets: account.secrets }
}

test('an owner connects their own Documenso; the page shows its callback URL but no credentials', async () => {
  expect(textOf(await owner.get(list()))).toContain('No providers yet.')
  const page = `${list()}/documenso`
  expect(await owner.submit(page, documenso)).toMatchObject({ status: 303, location: list() })
  const { connection, secrets } = await connected()
  expect(connection).toMatchObject({
    provider: 'documenso',
    name: 'Ours',
    account: 'Lantern & Oak',
    settings: { url: 'https://sign.lantern.example' },
    simulated: false,
  })
  expect(secrets).toEqual(['the-token the-secret'])
  const shown = await owner.get(list())
  expect(textOf(shown)).toContain(
    `Ours Documenso Lantern & Oak ${app.url}/callbacks/documenso/${connection.id} connected Change`,
  )
  for (const path of [list(), `${list()}/${connection.id}`])
    expect((await owner.get(path)).body).not.toMatch(/the-token|the-secret/)
})

test('an owner connects DocuSign with a private key in PEM format', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  const entered = {
    name: 'DocuSign',
    account: '0b7e',
    environment: 'demo',
    connect_key: 'connect',
    integration_key: 'integration',
    user_id: 'user',
    private_key: pem,
  }
  expect(await owner.submit(`${list()}/docusign`, entered)).toMatchObject({ status: 303, location: list() })
  const { connection, secrets } = await connected()
  expect(connection).toMatchObject({ provider: 'docusign', settings: { environment: 'demo' } })
  const key = privateKey.export({ type: 'pkcs8', format: 'der' }).toString('base64')
  expect(secrets).toEqual([`connect integration user ${key}`])
})

test.each([
  ['documenso', { api_token: '' }, { api_token: 'It is required, without spaces.' }],
  [
    'documenso',
    { api_token: '', webhook_secret: ' ' },
    { api_token: 'It is required, without spaces.', webhook_secret: 'It is required, without spaces.' },
  ],
  ['documenso', { webhook_secret: 'two words' }, { webhook_secret: 'It is required, without spaces.' }],
  ['documenso', { url: 'ftp://x' }, { url: 'It must begin with https:// and have no path.' }],
  ['documenso', { url: 'https://x.example/sign' }, { url: 'It must begin with https:// and have no path.' }],
  ['documenso', { url: 'https://10.0.0.5' }, { url: 'It cannot be used: the address is not public.' }],
  ['documenso', { name: '' }, { name: expect.any(String) }],
  [
    'docusign',
    { connect_key: 'c', integration_key: 'i', user_id: 'u', private_key: 'no key' },
    { private_key: 'It must be an RSA private key as PEM.' },
  ],
])('%s with %o is not connected, and the page says why', async (provider, change, issues) => {
  const visited = await owner.submit(`${list()}/${provider}`, { ...documenso, ...change })
  expect(visited.status).toBe(400)
  expect(issuesIn(visited)).toEqual(issues)
  const { ctx } = owner.workspace
  expect(await listConnections(ctx.directory, ctx.workspaceId)).toEqual([])
})

test('new credentials replace the old; empty fields keep them, and partial ones are rejected', async () => {
  const { ctx } = owner.workspace
  await owner.submit(`${list()}/documenso`, documenso)
  const { id } = (await connected()).connection
  await asOwner(app.databaseUrl, 'update connections set credentials_rejected_at = now() where id = $1', [id])
  expect(textOf(await owner.get(list()))).toContain('credentials rejected Since')
  const path = `${list()}/${id}`
  const stored = async () => (await findSealedConnection(ctx.directory, id))?.secret
  const before = await stored()
  await owner.submit(path, { name: 'Signing', url: '' })
  expect(await connected()).toMatchObject({ connection: { name: 'Signing', settings: {} } })
  expect(await stored()).toEqual(before)
  const half = await owner.submit(path, { name: 'Signing', api_token: 'new' })
  expect([half.status, issuesIn(half)]).toEqual([400, { webhook_secret: 'It is required, without spaces.' }])
  expect(await owner.submit(path, { name: 'Signing', api_token: 'new', webhook_secret: 'n' })).toMatchObject({
    status: 303,
    location: list(),
  })
  expect((await connected()).secrets).toEqual(['new n', 'the-token the-secret'])
  expect(textOf(await owner.get(list()))).toMatch(/connected Callbacks with the old credentials: until /)
})

test('a simulated provider is shown but not editable; a messaging provider is neither', async () => {
  const { ctx } = owner.workspace
  const simulated = {
    provider: 'documenso',
    name: 'Practice',
    account: 'A',
    simulated: true,
    secret: 'x',
  } as const
  const twilio = { provider: 'twilio', name: 'Texts', account: 'AC1', secret: 'x' } as const
  const made = [await createConnection(ctx, simulated), await createConnection(ctx, twilio)]
  const text = textOf(await owner.get(list()))
  expect(text).toContain('Practice Documenso simulated: not binding')
  expect(text).not.toContain('Texts')
  for (const { id } of made) expect((await owner.get(`${list()}/${id}`)).status).toBe(404)
})
