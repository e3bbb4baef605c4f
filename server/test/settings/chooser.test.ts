import { afterAll, beforeAll, expect, test } from 'vitest'
import { setMemberActive } from '../../src/modules/workspaces/public.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { browser, personIn, signedInBrowser } from '../support/browser.ts'
import { somebodyIn, textOf } from './scene.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

test('the root leads to the settings, and these to the sign-in', async () => {
  const visitor = browser(app)
  expect((await visitor.get('/')).location).toBe('/settings')
  expect((await visitor.get('/settings')).location).toBe('/sign-in?return_to=%2Fsettings')
})

test('who is in one workspace comes there at once; who is in several chooses; who is in none is told what to do', async () => {
  const [one, two] = [await app.workspace('Lakeside'), await app.workspace('Uptown')]
  const person = await personIn(one, 'admin')
  const visitor = await signedInBrowser(app, person)
  expect(await visitor.get('/settings')).toMatchObject({ status: 303, location: `/settings/${one.id}` })
  const there = await personIn(two, 'agent', person.email)
  expect(textOf(await visitor.get('/settings'))).toMatch(
    /Lakeside You are its admin\. Uptown You are its agent\./,
  )
  await setMemberActive(one.ctx, person.member.id, false)
  await setMemberActive(two.ctx, there.member.id, false)
  const nowhere = await visitor.get('/settings')
  expect([nowhere.status, textOf(nowhere)]).toEqual([
    200,
    expect.stringContaining(`You are signed in as ${person.email} , and no workspace has you`),
  ])
})

test('an owner sees what there is to look after, each with a sentence', async () => {
  const owner = await somebodyIn(app, await app.workspace('Lakeside'))
  const { body } = await owner.get(owner.base)
  for (const path of ['keys', 'apps', 'connections', 'webhooks', 'members'])
    expect(
      (await owner.get(`${owner.base}/${path}`)).status === 200 && body.includes(`${owner.base}/${path}`),
    ).toBe(true)
})

test('an agent is told who looks after the workspace, and sees nothing of it', async () => {
  const agent = await somebodyIn(app, await app.workspace('Lakeside'), 'agent')
  const page = await agent.get(agent.base)
  expect([page.status, textOf(page)]).toEqual([
    200,
    expect.stringContaining('Its owners and admins look after'),
  ])
  expect(page.body).not.toMatch(/href="[^"]*\/(keys|apps|connections|webhooks|members)"/)
})

test('a workspace that is not one’s own is not there', async () => {
  const owner = await somebodyIn(app, await app.workspace())
  const other = await app.workspace()
  for (const id of [other.id, `c${'0'.repeat(24)}`, 'x', '%00'])
    expect([id, (await owner.get(`/settings/${id}`)).status]).toEqual([id, 404])
})
