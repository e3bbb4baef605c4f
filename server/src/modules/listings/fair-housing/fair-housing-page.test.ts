import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { issuesIn, textOf } from '#test/settings/scene.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { type Browser, personIn, signedInBrowser } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'

const path = '/settings/fair-housing'

let app: TestApp
let workspace: TestWorkspace
let agent: Client
let user: Browser
let memberId: string

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace('Lantern & Oak')
  agent = await workspace.credential()
  const person = await personIn(workspace, 'agent')
  memberId = person.member.id
  user = await signedInBrowser(app, person)
})

const remarks = 'A bright home near the best schools, in a safe area.'
const flag = async (more: object = {}) =>
  idOf(
    await agent.post('/listings', {
      list_agent_id: memberId,
      list_price: 489_000,
      street_number: '48',
      street_name: 'Alder Court',
      public_remarks: remarks,
      ...more,
    }),
  )
const at = (id: string) => `${path}?workspace=${workspace.id}&listing=${id}`
const review = async (id: string) => (await agent.get(`/listings/${id}`)).body['fair_housing']

test('an agent reviews the flags of their listing and acknowledges them with a reason', async () => {
  const id = await flag()
  expect(textOf(await user.get(path))).toContain('48 Alder Court “best schools” (steering), “safe area” (')
  const page = await user.get(at(id))
  expect(page.body).toContain('near the <mark>best schools</mark>, in a <mark>safe area</mark>.')
  const reason = 'It names the magazine of the district.'
  expect(await user.submit(at(id), { reason })).toMatchObject({
    status: 303,
    location: `${path}?workspace=${workspace.id}`,
  })
  expect(await review(id)).toMatchObject({
    status: 'acknowledged',
    acknowledged: { by: { type: 'member', id: memberId }, reason },
  })
  expect((await agent.patch(`/listings/${id}`, { status: 'active' })).status).toBe(200)
  expect(textOf(await user.get(path))).toContain('No listing waits for a review.')
  expect(textOf(await user.get(at(id)))).toContain('There is nothing to acknowledge.')
})

test('acknowledging requires a reason and a listing that has not changed since it was read', async () => {
  const id = await flag()
  const empty = await user.submit(at(id), { reason: ' ' })
  expect([empty.status, Object.keys(issuesIn(empty))]).toEqual([400, ['reason']])
  const outdated = await user.submit(at(id), { reason: 'Fine.', seen: '2026-03-01T00:00:00.000Z' })
  expect(outdated.status).toBe(400)
  expect(textOf(outdated)).toContain('The listing has changed since you read it.')
  expect(await review(id)).toMatchObject({ status: 'review', acknowledged: null })
})

test('an agent sees and acknowledges only their own listings, an owner those of the workspace', async () => {
  const foreign = await flag({ list_agent_id: (await workspace.member()).id, street_name: 'Elm Street' })
  expect(textOf(await user.get(path))).toContain('No listing waits for a review.')
  expect((await user.get(at(foreign))).status).toBe(404)
  const own = await flag()
  expect((await user.submit(at(own), { reason: 'Fine.', listing: foreign })).status).toBe(404)
  const owner = await signedInBrowser(app, await personIn(workspace))
  expect(textOf(await owner.get(path))).toMatch(/48 Alder Court .* 48 Elm Street/)
  const outsider = await signedInBrowser(app, await personIn(await app.workspace()))
  expect((await outsider.get(at(foreign))).status).toBe(404)
  expect((await user.get(at('x'))).status).toBe(404)
  expect(await review(foreign)).toMatchObject({ status: 'review' })
})

test('a role that may not change listings cannot acknowledge: 403', async () => {
  const id = await flag()
  const reader = await signedInBrowser(app, await personIn(workspace, 'compliance'))
  expect((await reader.submit(at(id), { reason: 'Fine.' })).status).toBe(403)
  expect(await review(id)).toMatchObject({ status: 'review' })
})

test('deleted listings and listings without flags need no review', async () => {
  await agent.delete(`/listings/${await flag()}`)
  await flag({ street_name: 'Plain', public_remarks: 'A bright home.' })
  expect(textOf(await user.get(path))).toContain('No listing waits for a review.')
})

test('acknowledging requires a recent sign-in', async () => {
  const id = await flag()
  const page = await user.get(at(id))
  app.clock.advance(10 * 60_000 + 1)
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.body)?.[1] ?? ''
  const fields = { csrf, workspace: workspace.id, listing: id, reason: 'Fine.' }
  expect(await user.post(path, fields)).toMatchObject({
    status: 303,
    location: expect.stringContaining('/sign-in/confirm'),
  })
  expect(await review(id)).toMatchObject({ status: 'review' })
})
