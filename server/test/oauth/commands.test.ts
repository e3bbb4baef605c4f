import { afterAll, beforeAll, expect, test } from 'vitest'
import { allScopes } from '../../src/modules/access/public.ts'
import { findApp } from '../../src/modules/oauth/apps/queries.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import { gableWith } from '../support/gable.ts'
import { type RegisteredApp, bearer, connect, post, redirectUri } from './scene.ts'

let app: TestApp
let developers: TestWorkspace
let mirror: RegisteredApp
let shown: Record<string, unknown>

const gable = gableWith(() => ({ DATABASE_URL: app.databaseUrl }))
const own = (...args: string[]) => gable.json('apps', ...args, '--workspace', developers.id)

beforeAll(async () => {
  app = await testApp({ now: new Date() })
  developers = await app.workspace('Developers')
  const uris = ['--redirect-uris', redirectUri, '--redirect-uris', 'http://127.0.0.1/done']
  shown = await own('create', '--name', 'Lead Mirror', ...uris, '--scopes', 'leads:read contacts:read')
  const row = await findApp(app.runtime.database.directory, String(shown['id']))
  if (row === undefined) throw new Error('The app was not registered.')
  const secret = String(shown['client_secret'])
  mirror = { app: row, secret, credentials: { client_id: row.id, client_secret: secret } }
})
afterAll(() => app[Symbol.asyncDispose]())

test('apps create registers an app and shows its secret, and a public app has none', async () => {
  expect(shown).toMatchObject({
    client_id: expect.stringMatching(/^c[a-z0-9]{24}$/),
    client_secret: expect.stringMatching(/^gbl_cs_[0-9A-Za-z]{49}$/),
    redirect_uris: [redirectUri, 'http://127.0.0.1/done'],
    scopes: ['contacts:read', 'leads:read'],
  })
  const uri = ['--redirect-uris', 'com.example.desktop:/done']
  const made = await own('create', '--name', 'Desktop', ...uri, '--scopes', 'all', '--no-confidential')
  expect(made).toMatchObject({ confidential: false, scopes: allScopes })
  const rotate = ['apps', 'rotate-secret', String(made.id), '--workspace', developers.id]
  expect(await gable.error(...rotate)).toMatchObject({ code: 1, error: { code: 'public_app' } })
})

test('commands manage apps, secrets, and grants while a server is running', async () => {
  const workspace = await app.workspace()
  const { access_token: token } = await connect(app, workspace, mirror)
  const status = async () => (await bearer(app, token).get('/ping')).status
  const { id } = mirror.app
  await own('disable', id)
  expect(await status()).toBe(401)
  await own('enable', id)
  expect(await status()).toBe(200)

  const rotated = await own('rotate-secret', id)
  for (const secret of [mirror.secret ?? '', String(rotated.client_secret)]) {
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
    expect((await post(app, 'token', form)).status).toBe(200)
  }

  const here = ['--workspace', workspace.id]
  const {
    data: [grant],
  } = await gable.json('grants', 'list', ...here)
  await gable.json('grants', 'delete', grant.id, ...here)
  expect(await status()).toBe(401)
  const { out } = await gable(['audit-log', 'list', ...here])
  expect(out).toMatch(/grant\.revoked[^]*grant\.approved/)

  expect(await own('delete', id)).toMatchObject({ id, deleted: true })
  expect(await gable.error('apps', 'enable', id, '--workspace', developers.id)).toMatchObject({
    code: 1,
    error: { code: 'not_found' },
  })
})
