import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'

interface Stage {
  id: string
  name: string
  count: number
  totals: object[]
  deals: { id: string; order_key: string }[]
  after: string | null
}

let app: TestApp
let workspace: TestWorkspace
let agent: Client
let pipeline: { id: string; stages: Stage[] }

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace()
  agent = await workspace.credential()
  const { data } = (await agent.get('/pipelines')).body
  pipeline = data.find((one: { is_default: boolean }) => one.is_default)
})

const stageId = (name: string) => orNotFound(pipeline.stages.find((stage) => stage.name === name)).id
const board = async (client = agent, query = ''): Promise<Stage[]> =>
  (await client.get(`/pipelines/${pipeline.id}/board${query}`)).body['stages']
const stageOf = async (name: string, client = agent) =>
  orNotFound((await board(client)).find((stage) => stage.name === name))
const idsIn = async (name: string) => (await stageOf(name)).deals.map(({ id }) => id)
const add = async (draft: object = {}) => (await agent.post('/deals', draft)).body['id'] as string
const addMany = async (count: number) => {
  const ids: string[] = []
  for (let i = 0; i < count; i++) ids.unshift(await add())
  return ids
}
const place = (id: string, after: string | null, more: object = {}) =>
  agent.patch(`/deals/${id}`, { ...more, place: { after } })

test('new deals and deals moved without a place go on top', async () => {
  const [c, b, a] = await addMany(3)
  expect(await idsIn('New')).toEqual([c, b, a])
  const offer = await add({ stage_id: stageId('Offer') })
  await agent.patch(`/deals/${a}`, { stage_id: stageId('Offer') })
  expect([await idsIn('New'), await idsIn('Offer')]).toEqual([
    [c, b],
    [a, offer],
  ])
})

test('a deal can be placed on top or after another deal, in its own stage or another', async () => {
  const [d = '', c = '', b = '', a = ''] = await addMany(4)
  await place(d, b)
  expect(await idsIn('New')).toEqual([c, b, d, a])
  await place(a, null)
  expect(await idsIn('New')).toEqual([a, c, b, d])
  const offers = [await add({ stage_id: stageId('Offer') }), await add({ stage_id: stageId('Offer') })]
  await place(c, offers[1] ?? '', { stage_id: stageId('Offer') })
  expect([await idsIn('New'), await idsIn('Offer')]).toEqual([
    [a, b, d],
    [offers[1], c, offers[0]],
  ])
})

test('placing a deal where it is changes nothing, and a reorder is not on the timeline', async () => {
  const contact_id = (await agent.post('/contacts')).body['id']
  const [b = '', a = ''] = [await add({ contact_id }), await add()].toReversed()
  const { updated_at } = (await agent.get(`/deals/${a}`)).body
  expect((await place(a, b)).body['updated_at']).toBe(updated_at)
  expect((await place(a, null)).body['updated_at']).not.toBe(updated_at)
  expect((await agent.get(`/contacts/${contact_id}/events`)).body['data']).toHaveLength(2)
  const events = await asOwner<{ name: string }>(
    app.databaseUrl,
    'select name from events where workspace_id = $1 and subject_id = $2 order by id',
    [workspace.id, a],
  )
  expect(events.map(({ name }) => name)).toEqual(['deal.created', 'deal.reordered'])
})

test('placing a deal after itself or after a deal of another stage returns 400', async () => {
  const [a, b] = [await add(), await add({ stage_id: stageId('Offer') })]
  for (const after of [a, b])
    expect(await place(a, after)).toMatchObject({
      status: 400,
      body: { error: { details: [{ path: 'place.after' }] } },
    })
})

test('deleted, cancelled, and out-of-reach neighbors keep their places', async () => {
  const member = await workspace.member()
  const [e = '', d = '', c = '', b = '', a = ''] = await addMany(5)
  await agent.delete(`/deals/${b}`)
  await agent.patch(`/deals/${c}`, { status: 'cancelled' })
  for (const id of [a, d]) await agent.patch(`/deals/${id}`, { owner_id: member.id })
  const client = await workspace.keyFor(member.id)
  await client.patch(`/deals/${a}`, { place: { after: d } })
  expect((await stageOf('New', client)).deals.map(({ id }) => id)).toEqual([d, a])
  expect(await idsIn('New')).toEqual([e, d, a])
  await agent.post(`/deals/${b}/restore`)
  await agent.patch(`/deals/${c}`, { status: 'open' })
  expect(await idsIn('New')).toEqual([e, d, a, c, b])
})

test('a stage counts its deals and totals them by currency, weighted by probability', async () => {
  const stage_id = stageId('Offer')
  const member = await workspace.member()
  await add({ stage_id, price: 100_000.01 })
  await add({ stage_id, price: 1, close_price: 50_000, probability: 10, owner_id: member.id })
  await add({ stage_id })
  await add({ stage_id, currency: 'JPY', price: 101, probability: 50 })
  await agent.patch(`/deals/${await add({ stage_id, price: 7 })}`, { status: 'cancelled' })
  await agent.delete(`/deals/${await add({ stage_id, price: 7 })}`)
  expect(await stageOf('Offer')).toMatchObject({
    count: 4,
    totals: [
      { currency: 'JPY', amount: 101, weighted: 51 },
      { currency: 'USD', amount: 150_000.01, weighted: 65_000.01 },
    ],
  })
  expect(await stageOf('Offer', await workspace.keyFor(member.id))).toMatchObject({
    count: 1,
    totals: [{ currency: 'USD', amount: 50_000, weighted: 5000 }],
  })
  expect(await stageOf('New')).toMatchObject({ count: 0, totals: [], deals: [], after: null })
})

test('a stage has further pages after 100 deals', async () => {
  await add()
  await asOwner(
    app.databaseUrl,
    `insert into deals (workspace_id, id, type, status, pipeline_id, stage_id, stage_changed_at, order_key, contact_ids,
       participants, currency, search_name, created_by, created_at, updated_at)
     select workspace_id, 'c' || lpad(n::text, 24, '0'), type, status, pipeline_id, stage_id, stage_changed_at,
       'b' || lpad(n::text, 2, '0') || 'V', contact_ids, participants, currency, search_name, created_by, created_at, updated_at
     from deals, generate_series(1, 249) as n where workspace_id = $1`,
    [workspace.id],
  )
  const pages: string[][] = []
  for (let after: string | null = ''; after !== null;) {
    const stages: Stage[] = await board(agent, after === '' ? '' : `?after=${after}`)
    const stage: Stage = orNotFound(stages.find(({ name }) => name === 'New'))
    expect([stage.count, stages.length]).toEqual([250, after === '' ? pipeline.stages.length : 1])
    pages.push(stage.deals.map(({ order_key }) => order_key))
    after = stage.after
  }
  expect(pages.map((page) => page.length)).toEqual([100, 100, 50])
  expect(pages.flat()).toEqual(pages.flat().toSorted())
  expect(await board(agent, '?after=nonsense')).toHaveLength(pipeline.stages.length)
})

/** The order of a stage. Checks that two reads agree and that every deal occurs exactly once. */
async function stableOrder(all: readonly string[]): Promise<string[]> {
  const [one, other] = [await stageOf('New'), await stageOf('New')]
  expect(one).toEqual(other)
  const ids = one.deals.map(({ id }) => id)
  expect(ids.toSorted()).toEqual(all.toSorted())
  expect(new Set(one.deals.map(({ order_key }) => order_key)).size).toBe(ids.length)
  return ids
}

test('16 concurrent moves after the same deal all succeed, and leave one stable order', async () => {
  const all = await addMany(18)
  const [top = '', ...others] = all
  const moving = others.slice(0, 16)
  const responses = await Promise.all(moving.map((id) => place(id, top)))
  expect(responses.map(({ status }) => status)).toEqual(moving.map(() => 200))
  const order = await stableOrder(all)
  expect([order[0], order.at(-1)]).toEqual([top, others[16]])
  const keys = new Map((await stageOf('New')).deals.map(({ id, order_key }) => [id, order_key]))
  for (const { body } of responses) expect(body['order_key']).toBe(keys.get(body['id']))
})

test('a stage with keys over 100 characters is renumbered, even while 16 deals move', async () => {
  const all = await addMany(18)
  const long = (n: number) => `a0${'0'.repeat(96)}${String(n).padStart(2, '0')}V`
  for (const [n, id] of all.entries())
    await asOwner(app.databaseUrl, 'update deals set order_key = $2 where id = $1', [id, long(n)])
  expect(await idsIn('New')).toEqual(all)
  const [top = '', ...others] = all
  const responses = await Promise.all(others.slice(0, 16).map((id) => place(id, top)))
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200))
  expect((await stableOrder(all))[0]).toBe(top)
  for (const { order_key } of (await stageOf('New')).deals) expect(order_key.length).toBeLessThan(20)
})

test('16 deals added at once all go on top', async () => {
  const below = await add()
  const ids = await Promise.all(Array.from({ length: 16 }, () => add()))
  expect((await stableOrder([...ids, below])).at(-1)).toBe(below)
})

test('the filters of a board apply to its deals, its counts, and its totals', async () => {
  const member = await workspace.member()
  const own = await add({ name: 'Alder Court', price: 100, owner_id: member.id, type: 'seller' })
  const other = await add({ name: 'Birch Lane', price: 200, type: 'buyer' })
  const found = async (query: string) => {
    const stage = orNotFound((await board(agent, query)).find(({ name }) => name === 'New'))
    return [stage.count, stage.deals.map(({ id }) => id), stage.totals]
  }
  const totals = (amount: number) => [expect.objectContaining({ currency: 'USD', amount })]
  for (const query of [`?owner_id=${member.id}`, '?type=seller', '?q=alder', '?q=court&type=seller,tenant'])
    expect([query, ...(await found(query))]).toEqual([query, 1, [own], totals(100)])
  expect(await found('?type=seller,buyer')).toEqual([2, [other, own], totals(300)])
  expect(await found('?q=cedar')).toEqual([0, [], []])
})
