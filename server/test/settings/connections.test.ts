import { afterAll, beforeAll, expect, test } from 'vitest'
import { listGrants, updateApp } from '../../src/modules/oauth/public.ts'
import {
  approveApp,
  bearer,
  codeForm,
  connect,
  inWorkspace,
  post,
  refreshForm,
  registerApp,
} from '../oauth/scene.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type User, anOwner, textOf } from './scene.ts'

let app: TestApp
let owner: User

beforeAll(async () => {
  app = await testApp()
  owner = await anOwner(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const page = () => owner.get(`${owner.base}/connections`)

test('the page says if there are no connected apps', async () => {
  expect(textOf(await page())).toContain('No connected apps.')
})

test('a connected app shows its permissions, approver, and last use, and can be disconnected', async () => {
  const mirror = await registerApp(app)
  const { access_token: token } = await connect(app, owner.workspace, mirror, {
    scopes: ['contacts:write', 'contacts:read:pii'],
  })
  const client = bearer(app, token)
  const before = textOf(await page())
  expect(before).toContain(
    'Lead Mirror See full phone numbers and email addresses instead of masked ones personal data',
  )
  expect(before).toContain('Create, update and erase contacts, add notes and tags A person 2026-03-02 never')
  expect((await client.get('/ping')).status).toBe(200)
  await expect
    .poll(async () => textOf(await page()), { timeout: 30_000 })
    .toContain('A person 2026-03-02 2026-03-02 15:00 UTC')

  await updateApp(inWorkspace(app, mirror.app.workspace_id), mirror.app.id, { scopes: ['contacts:read'] })
  expect(textOf(await page())).toContain('Lead Mirror See contacts and their details A person')
  await updateApp(inWorkspace(app, mirror.app.workspace_id), mirror.app.id, { scopes: ['leads:read'] })
  expect(textOf(await page())).toContain('Lead Mirror none A person')

  const [grant] = await listGrants(app.runtime.database.directory, owner.workspace.id)
  const path = `${owner.base}/connections/${grant?.id}/revoke`
  expect(textOf(await owner.get(path))).toContain(
    'Lead Mirror has had access to this workspace since 2026-03-02',
  )
  expect(await owner.submit(path, {})).toMatchObject({ status: 303, location: `${owner.base}/connections` })
  expect((await client.get('/ping')).status).toBe(401)
  expect((await owner.get(path)).status).toBe(404)
})

test('the log shows that a replayed code or refresh token revoked tokens', async () => {
  const other = await anOwner(app)
  const mirror = await registerApp(app)
  const approved = await approveApp(other.workspace, mirror)
  const exchanges = [await post(app, 'token', codeForm(mirror, approved))]
  exchanges.push(await post(app, 'token', codeForm(mirror, approved)))
  const { refresh_token: refreshToken } = await connect(app, other.workspace, mirror)
  exchanges.push(await post(app, 'token', refreshForm(mirror, refreshToken)))
  exchanges.push(await post(app, 'token', refreshForm(mirror, refreshToken)))
  const { refresh_token: last } = await connect(app, other.workspace, mirror)
  exchanges.push(await post(app, 'revoke', { token: last }))
  expect(exchanges.map(({ status }) => status)).toEqual([200, 400, 200, 400, 200])
  expect(textOf(await other.get(`${other.base}/connections`))).toMatch(
    new RegExp(
      [
        'The app revoked its tokens Lead Mirror oauth app Lead Mirror',
        'A refresh token was used twice, so its tokens were revoked Lead Mirror',
        'An authorization code was used twice, so its tokens were revoked Lead Mirror',
      ].join('.*'),
    ),
  )
})

test('the page lists audit entries in words, newest first, with their actors', async () => {
  const text = textOf(await page())
  expect(text).toContain('No connected apps.')
  expect(text).toMatch(
    /An app was disconnected Lead Mirror A person .*An app was connected Lead Mirror system test/,
  )
})
