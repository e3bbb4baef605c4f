import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { personIn, signedInBrowser } from '../support/browser.ts'
import { makeRecords, pagesOf, pathFor, textOf, userIn } from './scene.ts'

let app: TestApp

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

const note = 'Test mode. Messages and calls from this workspace reach no one.'
const own = (id: string) => ['calendar', 'fair-housing'].map((name) => `/settings/${name}?workspace=${id}`)

test('every page of a workspace in test mode states so, and its time once its clock was turned', async () => {
  const workspace = await app.workspace('Lakeside')
  const owner = await userIn(app, workspace)
  const records = await makeRecords(app, workspace, owner)
  const paths = [
    owner.base,
    ...own(workspace.id),
    ...pagesOf(app).map((route) => pathFor(route, { workspace: workspace.id, ...records })),
  ]
  /** How often each page states it, except those that lead to others. */
  const stated = async (text: string) => {
    const counts = new Map<string, number>()
    for (const path of paths) {
      const page = await owner.get(path)
      if (page.status !== 303) counts.set(path, textOf(page).split(text).length - 1)
    }
    expect(counts.size).toBeGreaterThan(30)
    return [...counts].filter(([, count]) => count !== 1).map(([path]) => path)
  }
  expect((await stated('Test mode')).length).toBeGreaterThan(30)
  await workspace.enterTestMode()
  expect(await stated(note)).toEqual([])
  expect((await owner.get(owner.base)).body).not.toContain('<time')
  await (await workspace.credential()).post('/test-clock', { now: '2026-04-01T14:30:00Z' })
  expect(await stated(`${note} Its clock shows 2026-04-01 14:30 UTC .`)).toEqual([])
})

test('agents see it too, and lists mark which workspaces are in test mode', async () => {
  const [live, tested] = [await app.workspace('Lakeside'), await app.workspace('Uptown')]
  await tested.enterTestMode()
  const person = await personIn(live, 'agent')
  await personIn(tested, 'agent', person.email)
  const user = await signedInBrowser(app, person)
  for (const path of ['/settings', '/settings/calendar', '/account']) {
    const text = textOf(await user.get(path))
    expect([path, text]).toEqual([path, expect.stringMatching(/Lakeside (?!Test mode).*Uptown Test mode/)])
    expect(text).not.toContain(note)
  }
  expect(textOf(await user.get(`/settings/${tested.id}`))).toContain(note)
  expect(textOf(await user.get(`/settings/${live.id}`))).not.toContain(note)
})

test('what a page does in test mode has the time of the workspace', async () => {
  const workspace = await app.workspace('Lakeside')
  await workspace.enterTestMode()
  await (await workspace.credential()).post('/test-clock', { now: '2026-05-01T14:30:00Z' })
  // As in a process that has not heard of the workspace.
  app.runtime.testClocks.forget(workspace.id)
  const owner = await userIn(app, workspace)
  expect(textOf(await owner.get(owner.base))).toContain('Its clock shows 2026-05-01 14:30 UTC')
})
