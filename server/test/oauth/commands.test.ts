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
const run = (...args: string[]) => gable(args)
const outputOf: (...args: string[]) => Promise<Record<string, unknown>> = gable.json

beforeAll(async () => {
  app = await testApp({ now: new Date() })
  developers = await app.workspace('Developers')
  const made = await outputOf(
    'app',
    'create',
    '--workspace',
    developers.id,
    '--name',
    'Lead Mirror',
    '--redirect-uri',
    redirectUri,
    'http://127.0.0.1/done',
    '--scopes',
    'leads:read contacts:read',
  )
  shown = made
  const row = await findApp(app.runtime.database.directory, String(made['client_id']))
  if (row === undefined) throw new Error('The app was not registered.')
  const secret = String(made['client_secret'])
  mirror = { app: row, secret, credentials: { client_id: row.id, client_secret: secret } }
})
afterAll(() => app[Symbol.asyncDispose]())

test('app create registers an app and shows its secret', () => {
  expect(shown).toEqual({
    client_id: expect.stringMatching(/^c[a-z0-9]{24}$/),
    client_secret: expect.stringMatching(/^gbl_cs_[0-9A-Za-z]{49}$/),
    name: 'Lead Mirror',
    type: 'confidential',
    redirect_uris: [redirectUri, 'http://127.0.0.1/done'],
    scopes: ['contacts:read', 'leads:read'],
    disabled_at: null,
    created_at: expect.any(String),
  })
})

test('a public app gets no secret', async () => {
  const made = await outputOf(
    'app',
    'create',
    '--workspace',
    developers.id,
    '--name',
    'Desktop',
    '--redirect-uri',
    'com.example.desktop:/done',
    '--scopes',
    'all',
    '--public',
  )
  expect(made).toMatchObject({ type: 'public', scopes: allScopes })
  expect(made).not.toHaveProperty('client_secret')
  const { code, err } = await run('app', 'rotate-secret', String(made['client_id']), '--json')
  expect([code, JSON.parse(err).error.code]).toEqual([1, 'public_app'])
})

test('app create reports all invalid options at once, by name', async () => {
  const { code, err } = await run(
    'app',
    'create',
    '--workspace',
    developers.id,
    '--name',
    'x'.repeat(121),
    '--redirect-uri',
    'http://a.example/'.repeat(200),
    '--scopes',
    'leads:read everything',
    '--json',
  )
  expect([code, JSON.parse(err).error]).toEqual([
    1,
    {
      code: 'validation_failed',
      message: 'These fields are invalid: --name, --redirect-uri, --scopes.',
      details: [
        { path: '--name', message: 'must have at most 120 characters' },
        { path: '--redirect-uri', message: 'must have at most 2048 characters' },
        { path: '--scopes', message: expect.stringContaining('must be one of contacts:read, ') },
      ],
    },
  ])
})

test('commands manage apps, secrets, and grants while a server is running', async () => {
  const workspace = await app.workspace()
  const { access_token: token } = await connect(app, workspace, mirror)
  const status = async () => (await bearer(app, token).get('/ping')).status
  const id = mirror.app.id
  expect((await run('app', 'list', '--workspace', developers.id)).out).toMatch(
    new RegExp(`${id} +Lead Mirror +confidential +enabled +https`),
  )
  expect(await outputOf('app', 'disable', id)).toMatchObject({
    client_id: id,
    disabled_at: expect.any(String),
  })
  expect(await status()).toBe(401)
  expect(await outputOf('app', 'enable', id)).toMatchObject({ client_id: id, disabled_at: null })
  expect(await status()).toBe(200)

  const changes = ['--name', 'Mirror', '--scopes', 'contacts:read', '--redirect-uri', redirectUri]
  expect(await outputOf('app', 'update', id, ...changes)).toMatchObject({
    name: 'Mirror',
    redirect_uris: [redirectUri],
    scopes: ['contacts:read'],
  })
  expect((await run('app', 'update', id)).code).toBe(2)

  const rotated = await outputOf('app', 'rotate-secret', id)
  for (const secret of [mirror.secret ?? '', String(rotated['client_secret'])]) {
    const form = { grant_type: 'client_credentials', client_id: id, client_secret: secret }
    expect((await post(app, 'token', form)).status).toBe(200)
  }

  const list = await run('grant', 'list', '--workspace', workspace.id)
  expect(list.out).toMatch(new RegExp(`${id} +Mirror +contacts:read +c\\w{24}`))
  const revoked = await outputOf('grant', 'revoke', '--workspace', workspace.id, '--app', id)
  expect(revoked).toMatchObject({ app_id: id, revoked_at: expect.any(String) })
  expect(await status()).toBe(401)
  const again = await run('grant', 'revoke', '--workspace', workspace.id, '--app', id, '--json')
  expect([again.code, JSON.parse(again.err).error.code]).toEqual([1, 'not_found'])
  const log = await run('grant', 'log', '--workspace', workspace.id, '--app', id)
  expect(log.out).toMatch(/grant\.revoked +Mirror +operator gable .*\n.*grant\.approved +Lead Mirror/)

  expect(await outputOf('app', 'delete', id)).toEqual({ client_id: id, deleted: true })
  const gone = await run('app', 'enable', id, '--json')
  expect([gone.code, JSON.parse(gone.err).error.code]).toEqual([1, 'not_found'])
})
