import { startSample } from '@gable/docs/support/sample.ts'
import { type RegisteredApp, registerApp } from '@gable/server/test/oauth/scene.ts'
import type { TestWorkspace } from '@gable/server/test/support/app.ts'
import { type Person, personIn } from '@gable/server/test/support/browser.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { capture } from '@gable/server/test/support/leads.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Scene, openScene } from './scene.ts'

let scene: Scene
let workspace: TestWorkspace
let person: Person
let desktop: RegisteredApp

beforeAll(async () => {
  scene = await openScene()
  workspace = await scene.app.workspace('Lantern Realty')
  person = await personIn(workspace)
  desktop = await registerApp(scene.app, {
    redirect_uris: ['http://127.0.0.1/callback'],
    scopes: ['leads:read'],
    confidential: false,
  })
})
afterAll(() => scene[Symbol.asyncDispose]())

const start = () => startSample('desk.js', { GABLE_URL: scene.app.url, CLIENT_ID: desktop.app.id })

test('the desktop sample gets access, prints leads as plain text, and revokes its access', async () => {
  const agent = await workspace.credential()
  await agent.post('/leads', { phone: '+13125550199', source: 'Por\u202Etal', first_name: 'Ada' })
  await capture(agent, 'Website')
  await using sample = start()
  const [question] = await sample.says(/http:\S+\/oauth\/authorize\S+/)
  await using visit = await scene.visitAs(person)
  const { page } = visit
  // What others send to its port does not stop it.
  const { searchParams } = new URL(question)
  const listens = searchParams.get('redirect_uri') ?? ''
  expect((await fetch(`${listens}?code=stolen&state=other`)).status).toBe(404)
  await page.goto(question)
  await page.getByText('a program on this computer').waitFor()
  await page.getByRole('button', { name: 'Allow' }).click()
  await page.getByText('You can close this window.').waitFor()
  expect(await sample.exit).toBe(0)
  expect(sample.stdout()).toMatch(/ Unknown from Website\n.* Ada from Por\?tal\n$/)
  const families = await asOwner(
    scene.app.databaseUrl,
    'select f.revoked_at from oauth_families f join oauth_grants g on g.id = f.grant_id where g.app_id = $1',
    [desktop.app.id],
  )
  expect(families).toEqual([{ revoked_at: expect.any(Date) }])
  expect(visit.complaints).toEqual([])
})

test('the desktop sample reports that access was denied', async () => {
  await using sample = start()
  const [question] = await sample.says(/http:\S+\/oauth\/authorize\S+/)
  await using visit = await scene.visitAs(person)
  await visit.page.goto(question)
  await visit.page.getByRole('button', { name: 'Deny' }).click()
  expect(await sample.exit).toBe(1)
  expect(sample.stderr()).toBe('You did not allow the program.\n')
})
