import { stat } from 'node:fs/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { disconnect } from '../oauth/scene.ts'
import { type LeadMirror, startLeadMirror } from '../samples/lead-mirror.ts'
import { type TestWorkspace, towardsLoopback } from '../support/app.ts'
import { type Person, personIn } from '../support/browser.ts'
import { capture } from '../support/leads.ts'
import { type Scene, type Visit, openScene } from './scene.ts'

let scene: Scene
let mirror: LeadMirror
let workspace: TestWorkspace
let person: Person

beforeAll(async () => {
  scene = await openScene({ role: 'all', egress: towardsLoopback })
  mirror = await startLeadMirror(scene.app)
})
afterAll(async () => {
  await mirror[Symbol.asyncDispose]()
  await scene[Symbol.asyncDispose]()
})
beforeEach(async () => {
  workspace = await scene.app.workspace('Lantern Realty')
  person = await personIn(workspace)
})

const follow = ({ page }: Visit, name: string) => page.getByRole('link', { name }).click()
const press = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true }).click()
const headed = ({ page }: Visit, name: string) => page.getByRole('heading', { name, exact: true }).waitFor()

const webhooks = async () => (await (await workspace.credential()).get('/webhooks')).body['data'] as object[]

test('a person connects the app, sees leads arrive, disconnects, and reconnects after a revocation', async () => {
  const agent = await workspace.credential()
  for (let i = 0; i < 25; i++) await capture(agent, `Source ${i}`)
  await using visit = await scene.visit()
  const { page } = visit
  await page.goto(mirror.url)
  await follow(visit, 'Connect to Gable')
  await visit.fillSignIn(person)
  await press(visit, 'Allow')
  await headed(visit, 'Your leads')
  expect(await page.locator('tbody tr').count()).toBe(20)
  expect(await page.locator('tbody tr').first().innerText()).toContain('Source 24')
  await follow(visit, 'Older leads')
  await page.getByRole('cell', { name: 'Source 0' }).waitFor()
  expect(await page.locator('tbody tr').count()).toBe(5)
  expect((await stat(mirror.file)).mode & 0o777).toBe(0o600)

  // The page stays as it is while this happens.
  const script = '<script>alert(1)</script>'
  await agent.post('/leads', { phone: '+13125550199', source: 'Open house', first_name: script })
  await page
    .getByRole('listitem')
    .filter({ hasText: `${script}, from Open house` })
    .waitFor()
  await page.reload()
  expect(await page.getByRole('listitem').innerText()).toContain(script)
  expect(await webhooks()).toHaveLength(1)

  await press(visit, 'Disconnect')
  await headed(visit, 'Lead Mirror')
  expect(await webhooks()).toEqual([])
  await expect(stat(mirror.file)).rejects.toThrow('ENOENT')

  await follow(visit, 'Connect to Gable')
  await press(visit, 'Allow')
  await headed(visit, 'Your leads')
  expect(await webhooks()).toHaveLength(1)
  await disconnect(workspace, mirror.registered.app.id)
  await page.reload()
  await page.getByText('The connection has ended').waitFor()
  await follow(visit, 'Connect to Gable')
  await press(visit, 'Allow')
  await headed(visit, 'Your leads')
  expect(await webhooks()).toHaveLength(1)
  await press(visit, 'Disconnect')
  expect(visit.complaints).toEqual([])
})

test('a person who denies access sees that the app is not connected', async () => {
  await using visit = await scene.visitAs(person)
  await visit.page.goto(mirror.url)
  await follow(visit, 'Connect to Gable')
  await press(visit, 'Deny')
  await visit.page.getByText('You did not allow the app').waitFor()
  await expect(stat(mirror.file)).rejects.toThrow('ENOENT')
})
