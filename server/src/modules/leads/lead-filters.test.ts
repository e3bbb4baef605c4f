import { afterAll, beforeAll, expect, test } from 'vitest'
import { idsOf } from '#test/contract/lists.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { idOf } from '#test/support/fixtures.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())

test('leads can be filtered by status, assignee, source, and time of creation', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const { id: member } = await workspace.member()
  const capture = async (source: string, phone: string) => {
    app.clock.advance(60_000)
    return idOf(await agent.post('/leads', { source, phone, skip_routing: true }))
  }
  const [first, second] = [await capture('Web', '3125550101'), await capture('Portal', '3125550102')]
  await agent.post(`/leads/${second}/assign`, { assignee_id: member })
  const found = async (query: string) => idsOf(await agent.get(`/leads?${query}`))
  expect(await found('status=new')).toEqual([first])
  expect(await found('status=assigned,new')).toEqual([second, first])
  expect(await found(`assignee_id=${member}`)).toEqual([second])
  expect(await found('source=Web')).toEqual([first])
  const { created_at } = (await agent.get(`/leads/${second}`)).body
  expect(await found(`created_after=${created_at}`)).toEqual([second])
})

test('to the masked credential that captured them, leads match as if they had never been routed', async () => {
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const vendor = await workspace.credential('leads:write')
  const { id: member } = await workspace.member()
  const id = idOf(await vendor.post('/leads', { source: 'Portal', phone: '3125550102' }))
  const { created_at } = (await vendor.get(`/leads/${id}`)).body
  app.clock.advance(60_000)
  await agent.post(`/leads/${id}/assign`, { assignee_id: member })
  const later = new Date(Date.parse(created_at) + 1).toISOString()
  const seen = async (client: typeof agent) => {
    const queries = ['status=new', 'status=assigned', `assignee_id=${member}`, `updated_after=${later}`]
    return Promise.all(
      queries.map(async (query) => (await client.get(`/leads/count?${query}`)).body['count']),
    )
  }
  expect(await seen(vendor)).toEqual([1, 0, 0, 0])
  expect(await seen(agent)).toEqual([0, 1, 1, 1])
  expect(await seen(await workspace.credential('leads:read'))).toEqual([0, 1, 1, 1])
})
