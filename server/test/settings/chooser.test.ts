import { afterAll, beforeAll, expect, test } from 'vitest'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { browser, personIn, signedInBrowser } from '../support/browser.ts'
import { userIn, textOf } from './scene.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

test('the root redirects to settings, and settings to sign-in', async () => {
  const user = browser(app)
  expect((await user.get('/')).location).toBe('/settings')
  expect((await user.get('/settings')).location).toBe('/sign-in?return_to=%2Fsettings')
})

test('a person with one workspace goes straight to it, with several chooses, with none sees a notice', async () => {
  const [one, two] = [await app.workspace('Lakeside'), await app.workspace('Uptown')]
  const person = await personIn(one, 'admin')
  const user = await signedInBrowser(app, person)
  expect(await user.get('/settings')).toMatchObject({ status: 303, location: `/settings/${one.id}` })
  const there = await personIn(two, 'agent', person.email)
  expect(textOf(await user.get('/settings'))).toMatch(/Lakeside Your role: admin Uptown Your role: agent/)
  await setMemberActive(one.ctx, person.member.id, false)
  await setMemberActive(two.ctx, there.member.id, false)
  const nowhere = await user.get('/settings')
  expect([nowhere.status, textOf(nowhere)]).toEqual([
    200,
    expect.stringContaining(`${person.email} is not a member of any workspace.`),
  ])
})

test('an owner sees links to the settings pages, and each one loads', async () => {
  const owner = await userIn(app, await app.workspace('Lakeside'))
  const { body } = await owner.get(owner.base)
  for (const path of ['keys', 'apps', 'connections', 'webhooks', 'members'])
    expect(
      (await owner.get(`${owner.base}/${path}`)).status === 200 && body.includes(`${owner.base}/${path}`),
    ).toBe(true)
})

test('an agent sees who can manage the workspace, and no links to its settings', async () => {
  const agent = await userIn(app, await app.workspace('Lakeside'), 'agent')
  const page = await agent.get(agent.base)
  expect([page.status, textOf(page)]).toEqual([
    200,
    expect.stringContaining('Only owners and admins can manage'),
  ])
  expect(page.body).not.toMatch(/href="[^"]*\/(keys|apps|connections|webhooks|members)"/)
})

test('returns 404 for a workspace that the person does not belong to', async () => {
  const owner = await userIn(app, await app.workspace())
  const other = await app.workspace()
  for (const id of [other.id, `c${'0'.repeat(24)}`, 'x', '%00'])
    expect([id, (await owner.get(`/settings/${id}`)).status]).toEqual([id, 404])
})
