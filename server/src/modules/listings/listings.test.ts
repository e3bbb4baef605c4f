import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'
import { sessionClient } from '#test/support/session-client.ts'
import type { presentListing } from './listing.ts'
import { readListingsAgainIn } from './read-again.ts'

let app: TestApp
let workspace: TestWorkspace
let system: Client
let agentId: string

beforeAll(async () => {
  app = await testApp()
  workspace = await app.workspace()
  system = await workspace.credential()
  agentId = (await workspace.member()).id
})
afterAll(() => app[Symbol.asyncDispose]())

type Shown = ReturnType<typeof presentListing>

const dayMs = 24 * 60 * 60_000
const listing = (more: object = {}) => ({ list_agent_id: agentId, list_price: 500_000, ...more })
const add = async (more: object = {}) => idOf(await system.post('/listings', listing(more)))
const errorOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
  status,
  body.error?.code,
]
const eventsOf = async (id: string) => {
  app.clock.advance(60_000)
  const rows = await asOwner<{ name: string; data: Record<string, unknown> }>(
    app.databaseUrl,
    'select name, data from events where subject_id = $1 order by id',
    [id],
  )
  return rows.map(({ name, data }) => ({ name, ...data }))
}

test('a listing keeps its price history, and each change publishes an event', async () => {
  const seller = idOf(await system.post('/contacts'))
  const id = await add({ seller_contact_id: seller })
  const patch = async (body: object) => {
    app.clock.advance(1000)
    return (await system.patch(`/listings/${id}`, body)).body
  }
  expect((await patch({ list_price: 510_000 }))['original_list_price']).toBeNull()
  await patch({ status: 'active' })
  const cheaper = await patch({ list_price: 495_000.5, bedrooms: 3 })
  expect(cheaper).toMatchObject({ original_list_price: 510_000, list_price: 495_000.5, currency: 'USD' })
  expect(cheaper['price_history'].map((one: { list_price: number }) => one.list_price)).toEqual([
    500_000, 510_000, 495_000.5,
  ])
  expect(await patch({ list_price: 495_000.5 })).toEqual(cheaper)
  expect(await patch({ status: 'pending', list_price: null })).toMatchObject({
    price_history: cheaper['price_history'],
  })
  expect(await eventsOf(id)).toMatchObject([
    { name: 'listing.created', status: 'incomplete' },
    { name: 'listing.price_changed', from: 500_000, to: 510_000, currency: 'USD' },
    { name: 'listing.status_changed', from: 'incomplete', to: 'active', seller_contact_id: seller },
    // The original price is set when the listing becomes active.
    { name: 'listing.updated', changes: [{ field: 'original_list_price', from: null, to: 510_000 }] },
    { name: 'listing.price_changed', from: 510_000, to: 495_000.5 },
    { name: 'listing.updated', changes: [{ field: 'bedrooms', from: null, to: 3 }] },
    { name: 'listing.status_changed', from: 'active', to: 'pending' },
    { name: 'listing.price_changed', from: 495_000.5, to: null },
  ])
  const timeline = (await system.get(`/contacts/${seller}/events`)).body['data']
  expect(timeline.map(({ title }: { title: string }) => title)).toContain(
    'Listing moved from active to pending',
  )
  expect((await system.delete(`/contacts/${seller}`)).status).toBe(200)
  expect((await system.get(`/listings/${id}`)).body['seller_contact_id']).toBeNull()
  expect(errorOf(await system.patch(`/listings/${id}`, { seller_contact_id: seller }))).toEqual([
    409,
    'contact_erased',
  ])
})

test.each([
  [{ status: 'active', list_price: undefined }, 'list_price'],
  [{ list_agent_id: undefined }, 'list_agent_id'],
  [{ currency: 'JPY', list_price: 100.5 }, 'list_price'],
  [
    { open_houses: [{ starts_at: '2026-12-05T18:00:00Z', ends_at: '2026-12-05T18:00:00Z' }] },
    'open_houses.0.ends_at',
  ],
  [
    { open_houses: [{ starts_at: '2026-12-05T18:00:00Z', ends_at: '2026-12-06T18:00:01Z' }] },
    'open_houses.0.ends_at',
  ],
  [
    {
      open_houses: [18, 18].map((hour) => ({
        starts_at: `2026-12-05T${hour}:00:00Z`,
        ends_at: '2026-12-05T20:00:00Z',
      })),
    },
    'open_houses.1.starts_at',
  ],
  [{ photos: [{ url: 'http://photos.example/1.jpg' }] }, 'photos.0.url'],
])('%j returns 400 with the path %s', async (more, path) => {
  const { status, body } = await system.post('/listings', listing(more))
  expect([status, body['error'].details.map((one: { path: string }) => one.path)]).toEqual([400, [path]])
})

describe('fair housing rules', () => {
  const remarks = 'A bright home near the best schools.'
  const flag = {
    code: 'content_fair_housing',
    category: 'steering',
    text: 'best schools',
    start: 23,
    end: 35,
  }
  const person = async () => sessionClient(app, await personIn(workspace), workspace.id)

  test('keep a listing from going public until a person acknowledges its remarks', async () => {
    const reviewed = { status: 'review', flags: [flag], acknowledged: null }
    const published = await system.post(
      '/listings',
      listing({ status: 'coming_soon', public_remarks: remarks }),
    )
    expect(errorOf(published)).toEqual([409, 'fair_housing_review'])
    expect(published.body['error'].flags).toEqual([flag])
    const id = await add({ public_remarks: remarks })
    const show = async () => (await system.get(`/listings/${id}`)).body['fair_housing']
    expect(await show()).toMatchObject(reviewed)
    const activate = () => system.patch(`/listings/${id}`, { status: 'active' })
    expect(errorOf(await activate())).toEqual([409, 'fair_housing_review'])
    const path = `/listings/${id}/fair-housing-acknowledgment`
    const member = await workspace.keyFor(agentId)
    for (const key of [await workspace.credential('listings:write'), member])
      expect(errorOf(await key.post(path, { reason: 'Fine.' }))).toEqual([403, 'recent_sign_in_required'])
    const browser = await person()
    const { body } = await browser.post(path, { reason: 'It is the name of a magazine.' })
    expect(body['fair_housing']).toMatchObject({
      status: 'acknowledged',
      flags: [flag],
      acknowledged: { by: { type: 'member' }, reason: 'It is the name of a magazine.' },
    })
    expect((await activate()).status).toBe(200)
    expect((await system.patch(`/listings/${id}`, { list_price: 480_000, bedrooms: 2 })).status).toBe(200)
    // New words need a new acknowledgment, which can be sent along with them.
    const other = `${remarks} A safe area.`
    const changed = await system.patch(`/listings/${id}`, { public_remarks: other })
    expect([...errorOf(changed), changed.body['error'].flags.length]).toEqual([409, 'fair_housing_review', 2])
    const again = await browser.post(path, { reason: 'Again.', public_remarks: other })
    expect(again.body).toMatchObject({
      public_remarks: other,
      status: 'active',
      fair_housing: { status: 'acknowledged', acknowledged: { reason: 'Again.' } },
    })
    const plain = await system.patch(`/listings/${id}`, { public_remarks: 'A bright home.' })
    expect(plain.body['fair_housing']).toMatchObject({ status: 'clear', flags: [], acknowledged: null })
    const names = (await eventsOf(id)).map(({ name }) => name)
    expect(names.filter((name) => name === 'listing.fair_housing_acknowledged')).toHaveLength(2)
  })
})

test('an MLS number belongs to only one listing', async () => {
  const [first, second] = [await add({ mls_number: 'M1' }), await add()]
  const taken = [409, 'mls_number_taken']
  expect(errorOf(await system.post('/listings', listing({ mls_number: 'M1' })))).toEqual(taken)
  expect(errorOf(await system.patch(`/listings/${second}`, { mls_number: 'M1' }))).toEqual(taken)
  expect((await system.patch(`/listings/${first}`, { mls_number: 'M1', bedrooms: 1 })).status).toBe(200)
  await system.delete(`/listings/${first}`)
  expect((await system.patch(`/listings/${second}`, { mls_number: 'M1' })).status).toBe(200)
  expect(errorOf(await system.post(`/listings/${first}/restore`))).toEqual(taken)
})

test('a deleted listing is hidden and can be restored within 30 days', async () => {
  const id = await add({ city: 'Nowhere' })
  const isListed = async () => (await system.get('/listings?city=Nowhere')).body['data'].length === 1
  expect((await system.delete(`/listings/${id}`)).body).toEqual({ id, deleted: true })
  for (const response of [
    await system.get(`/listings/${id}`),
    await system.patch(`/listings/${id}`, { bedrooms: 2 }),
    await system.delete(`/listings/${id}`),
  ])
    expect(response.status).toBe(404)
  expect(await isListed()).toBe(false)
  app.clock.advance(30 * dayMs)
  expect((await system.post(`/listings/${id}/restore`)).body).toMatchObject({ id, city: 'Nowhere' })
  expect(await isListed()).toBe(true)
  await system.delete(`/listings/${id}`)
  app.clock.advance(30 * dayMs + 1)
  expect((await system.post(`/listings/${id}/restore`)).status).toBe(404)
  expect((await eventsOf(id)).map(({ name }) => name)).toEqual(
    ['created', 'deleted', 'restored', 'deleted'].map((what) => `listing.${what}`),
  )
})

test('an agent reads every listing but changes only their own', async () => {
  const [own, other] = [await workspace.member(), await workspace.member()]
  const agent = await workspace.keyFor(own.id)
  const mine = await agent.post('/listings', { list_price: 1 })
  expect([mine.status, mine.body['list_agent_id']]).toEqual([201, own.id])
  const foreign = await add({ list_agent_id: other.id, mls_number: 'T1' })
  expect((await agent.get(`/listings/${foreign}`)).status).toBe(200)
  const forbidden = [403, 'forbidden']
  expect(errorOf(await agent.patch(`/listings/${foreign}`, { bedrooms: 2 }))).toEqual(forbidden)
  expect(errorOf(await agent.delete(`/listings/${foreign}`))).toEqual(forbidden)
  expect((await agent.post('/listings', { list_agent_id: other.id })).status).toBe(404)
  expect((await agent.patch(`/listings/${idOf(mine)}`, { list_agent_id: other.id })).status).toBe(404)
  const { results } = (
    await agent.post('/listings/batch', {
      listings: [{ mls_number: 'T1', bedrooms: 2 }, { mls_number: 'T2' }],
    })
  ).body
  expect(results).toMatchObject([{ error: { code: 'forbidden' } }, { result: 'created' }])
})

test('filters return the same listings as filtering all of them', async () => {
  const here = await app.workspace()
  const client = await here.credential()
  const member = (await here.member()).id
  const made: Shown[] = []
  for (let n = 0; n < 12; n++) {
    const draft = {
      list_agent_id: member,
      list_price: n === 0 ? undefined : n * 100_000.5,
      bedrooms: n % 5,
      status: n % 2 === 0 ? 'closed' : 'pending',
      city: n % 3 === 0 ? 'Evanston' : 'Oak Park',
      street_number: `${n}`,
      street_name: n === 7 ? 'Élm_Street' : 'Oak Lane',
      mls_number: `ML-${n}`,
    }
    made.unshift((await client.post('/listings', draft)).body as unknown as Shown)
  }
  const ids = async (query: string) => {
    const found: string[] = []
    for (let cursor = ''; ;) {
      const { data, next_cursor } = (await client.get(`/listings?limit=2&${query}${cursor}`)).body
      found.push(...data.map(({ id }: { id: string }) => id))
      if (next_cursor === null) return found
      cursor = `&cursor=${next_cursor}`
    }
  }
  const those = (fits: (one: Shown) => boolean) => made.filter(fits).map(({ id }) => id)
  expect(await ids('')).toEqual(those(() => true))
  expect(await ids('price_min=300001.5')).toEqual(those(({ list_price }) => (list_price ?? 0) >= 300_001.5))
  expect(await ids('price_max=300001.5')).toEqual(
    those(({ list_price }) => list_price !== null && list_price <= 300_001.5),
  )
  expect(await ids('bedrooms_min=3&status=pending')).toEqual(
    those(({ bedrooms, status }) => (bedrooms ?? 0) >= 3 && status === 'pending'),
  )
  expect(await ids('city=Evanston&status=closed&price_min=1')).toEqual(
    those(
      ({ city, status, list_price }) => city === 'Evanston' && status === 'closed' && list_price !== null,
    ),
  )
  expect(await ids('q=elm_')).toEqual(those(({ street_number }) => street_number === '7'))
  expect(await ids('q=ml-1')).toEqual(those(({ mls_number }) => mls_number?.startsWith('ML-1') === true))
  expect(await ids('q=park+lane')).toEqual(
    those(({ city, street_name }) => city === 'Oak Park' && street_name === 'Oak Lane'),
  )
  expect([await ids('q=%25'), await ids('list_agent_id=no-one'), await ids('city=Chicago&q=oak')]).toEqual([
    [],
    [],
    [],
  ])
})

test.for<[listing: object, queries: readonly string[]]>([
  [
    { street_number: '48-50', street_name: 'O’Hare Ct' },
    ["O'Hare", 'ohare', 'o hare', '48-50', '50', '48,ohare'],
  ],
  [{ street_name: 'Strauß Allee', city: 'Łódź' }, ['strauss', 'lodz', 'Łódź,Strauß', 'lo']],
  [{ street_name: 'Søndergade', unit_number: '#3B' }, ['sondergade', '3b', '#3B']],
  [
    { street_name: 'Elm', postal_code: '60201-4410', mls_number: 'ML/12-345' },
    ['60201', 'ml', '12345', 'ML/12-345', '60201 elm'],
  ],
  [{ street_name: 'Martin Luther King Jr. Dr' }, ['jr', 'jr.', 'king;dr']],
])('the listing %j is found by %j', async ([more, queries]) => {
  const other = await app.workspace()
  const owner = await other.credential()
  const { id: list_agent_id } = await other.member()
  const { id } = (await owner.post('/listings', { list_agent_id, postal_code: '60201', ...more })).body
  const foundBy = async (q: string) =>
    (await owner.get(`/listings?q=${encodeURIComponent(q)}`)).body['data'].map(
      (one: { id: string }) => one.id,
    )
  for (const q of queries) expect(await foundBy(q), q).toEqual([id])
  await asOwner(
    app.databaseUrl,
    `update listings set search_text = ' x', search_by = null where id = '${id}'`,
  )
  expect(await foundBy(queries[0] ?? '')).toEqual([])
  expect(await readListingsAgainIn(app.runtime, other.id)).toBe(1)
  expect(await readListingsAgainIn(app.runtime, other.id)).toBe(0)
  for (const q of queries) expect(await foundBy(q), q).toEqual([id])
})
