import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client
const lead = { source: 'Portal', source_ref: 'p-1', phone: '+13125550101', first_name: 'Ada' }

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace()
  agent = await workspace.credential()
})

test('the same lead from the same credential is captured once, and stays as it was', async () => {
  const first = await agent.post('/leads', lead)
  expect(first.status).toBe(201)
  const { id: member } = await workspace.member()
  await agent.post(`/leads/${first.body['id']}/assign`, { assignee_id: member })
  const before = (await agent.get(`/leads/${first.body['id']}`)).body
  app.clock.advance(29 * 86_400_000)
  const events = (await agent.get('/events/count')).body
  const again = await agent.post('/leads', {
    ...lead,
    phone: '(312) 555-0101',
    first_name: 'Other',
    context: { a: 1 },
  })
  expect(again).toMatchObject({ status: 200, body: before })
  expect((await agent.get('/leads/count')).body['count']).toBe(1)
  expect((await agent.get('/events/count')).body).toEqual(events)
})

test.each([
  ['another reference', { source_ref: 'p-2' }],
  ['no reference', { source_ref: null }],
  ['another source', { source: 'Web' }],
  ['another number', { phone: '+13125550102' }],
])('a lead with %s is a new lead', async (_, other) => {
  await agent.post('/leads', {
    ...lead,
    ...('source_ref' in other && other.source_ref === null ? other : {}),
  })
  expect((await agent.post('/leads', { ...lead, ...other })).status).toBe(201)
})

test('a lead from another credential, after 30 days, or after its erasure is a new lead', async () => {
  await agent.post('/leads', lead)
  expect((await (await workspace.credential()).post('/leads', lead)).status).toBe(201)
  app.clock.advance(30 * 86_400_000)
  const second = await agent.post('/leads', lead)
  expect(second.status).toBe(201)
  await agent.delete(`/contacts/${second.body['contact_id']}`)
  expect((await agent.post('/leads', lead)).status).toBe(201)
})

test('a lead that is sent 8 times at once is captured once', async () => {
  const responses = await Promise.all(Array.from({ length: 8 }, () => agent.post('/leads', lead)))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
  expect(new Set(responses.map(({ body }) => body['id'])).size).toBe(1)
})

test('a masked credential learns from a repeated lead nothing that it did not learn from the first', async () => {
  const vendor = await workspace.credential('leads:write')
  const first = await vendor.post('/leads', lead)
  const { id: member } = await workspace.member()
  await agent.post(`/leads/${first.body['id']}/assign`, { assignee_id: member })
  expect(await vendor.post('/leads', lead)).toMatchObject({ status: 200, body: first.body })
})
