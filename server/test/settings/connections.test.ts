import { afterAll, beforeAll, expect, test } from 'vitest'
import { listGrants, updateApp } from '../../src/modules/oauth/public.ts'
import { bearer, connect, inWorkspace, registerApp } from '../oauth/scene.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Somebody, anOwner, textOf } from './scene.ts'

let app: TestApp
let owner: Somebody

beforeAll(async () => {
  app = await testApp()
  owner = await anOwner(app)
})
afterAll(() => app[Symbol.asyncDispose]())

const page = () => owner.get(`${owner.base}/connections`)

test('a workspace without connected apps is told how one comes to be', async () => {
  expect(textOf(await page())).toContain('No app may act for this workspace.')
})

test('a connected app is shown with what it may do in words, who allowed it, and its last use; and disconnected', async () => {
  const mirror = await registerApp(app)
  const { access_token: token } = await connect(app, owner.workspace, mirror, {
    scopes: ['contacts:write', 'contacts:read:pii'],
  })
  const client = bearer(app, token)
  const before = textOf(await page())
  expect(before).toContain(
    'Lead Mirror See full phone numbers and e-mail addresses instead of masked ones personal data',
  )
  expect(before).toContain('Create, update and erase contacts, add notes and tags A person 2026-03-02 never')
  expect((await client.get('/ping')).status).toBe(200)
  await expect.poll(async () => textOf(await page())).toContain('A person 2026-03-02 2026-03-02 15:00 UTC')

  await updateApp(inWorkspace(app, mirror.app.workspace_id), mirror.app.id, { scopes: ['contacts:read'] })
  expect(textOf(await page())).toContain('Lead Mirror See contacts and their details A person')
  await updateApp(inWorkspace(app, mirror.app.workspace_id), mirror.app.id, { scopes: ['leads:read'] })
  expect(textOf(await page())).toContain('Lead Mirror nothing any more A person')

  const [grant] = await listGrants(app.house.database.directory, owner.workspace.id)
  const path = `${owner.base}/connections/${grant?.id}/revoke`
  expect(textOf(await owner.get(path))).toContain('Lead Mirror acts for this workspace since 2026-03-02')
  expect(await owner.submit(path, {})).toMatchObject({ status: 303, location: `${owner.base}/connections` })
  expect((await client.get('/ping')).status).toBe(401)
  expect((await owner.get(path)).status).toBe(404)
})

test('what happened is told below, newest first, in words, with who did it', async () => {
  const text = textOf(await page())
  expect(text).toContain('No app may act for this workspace.')
  expect(text).toMatch(
    /An app may no longer act for the workspace Lead Mirror A person .*An app was allowed to act for the workspace Lead Mirror system test/,
  )
})
