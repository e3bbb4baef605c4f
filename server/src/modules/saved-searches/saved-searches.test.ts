import { expect, test } from 'vitest'
import { agent, app, openScene, workspace } from '#test/scenes/workspace.ts'
import { asOwner } from '#test/support/database.ts'
import { idOf } from '#test/support/fixtures.ts'

openScene()

const contact = async () => idOf(await agent.post('/contacts', { first_name: 'Ada' }))
const search = (contact_id: string, more: object = {}) => ({
  contact_id,
  name: 'Three bedrooms',
  criteria: { bedrooms_min: 3 },
  ...more,
})
const errorOf = ({
  status,
  body,
}: {
  status: number
  body: { error?: { code: string; details?: unknown } }
}) => [status, body.error?.code, ...(body.error?.details === undefined ? [] : [body.error.details])]

test('a search is due in the morning, and pausing, resuming, or a new frequency reschedules it', async () => {
  const { status, body } = await agent.post('/saved-searches', search(await contact()))
  expect(status).toBe(201)
  expect(body).toMatchObject({ frequency: 'daily', active: true, paused_reason: null, last_sent_at: null })
  // It is 10 am on a Monday in New York.
  expect(body['next_at']).toMatch(/^2026-03-03T13:[012]\d/)
  const patch = async (change: object) => (await agent.patch(`/saved-searches/${body['id']}`, change)).body
  expect(await patch({ active: false })).toMatchObject({ active: false, next_at: null, paused_reason: null })
  expect(await patch({ frequency: 'weekly' })).toMatchObject({ frequency: 'weekly', next_at: null })
  // Daylight saving time starts in between.
  expect(await patch({ active: true })).toMatchObject({
    next_at: expect.stringMatching(/^2026-03-09T12:[012]\d/),
  })
  expect(await patch({ frequency: 'daily' })).toMatchObject({ next_at: body['next_at'] })
  const after = await patch({ name: 'Four bedrooms', criteria: { bedrooms_min: 4, cities: [] } })
  expect(after).toMatchObject({
    name: 'Four bedrooms',
    criteria: { bedrooms_min: 4 },
    next_at: body['next_at'],
  })
  expect(await patch({ name: 'Four bedrooms' })).toEqual(after)
})

test('rejects an invalid name and prices out of order', async () => {
  const id = await contact()
  const add = async (draft: object) => errorOf(await agent.post('/saved-searches', draft))
  const issue = { path: 'criteria.price_max', message: 'must not be less than price_min' }
  expect(await add(search(id, { criteria: { price_min: 2, price_max: 1 } }))).toEqual([
    400,
    'validation_failed',
    [issue],
  ])
  expect(await add(search(id, { name: ' \n' }))).toMatchObject([400, 'validation_failed', [{ path: 'name' }]])
})

test('a contact has at most 100 saved searches, even with concurrent requests', async () => {
  const id = await contact()
  const saved = idOf(await agent.post('/saved-searches', search(id)))
  await asOwner(
    app.databaseUrl,
    `insert into saved_searches
     select (json_populate_record(s, json_build_object('id', left(s.id, 14) || lpad(n::text, 11, '0')))).*
     from saved_searches s, generate_series(1, 96) as n where s.id = $1`,
    [saved],
  )
  const add = () => agent.post('/saved-searches', search(id))
  const responses = await Promise.all(Array.from({ length: 8 }, add))
  const counts = [201, 409].map((status) => responses.filter((one) => one.status === status).length)
  expect(counts).toEqual([3, 5])
  expect(errorOf(await add())).toEqual([409, 'saved_search_limit'])
  const { data } = (await agent.get(`/saved-searches?contact_id=${id}&limit=200`)).body
  expect(data).toHaveLength(100)
})

test('an agent sees the searches of the contacts that they own at the time', async () => {
  const [ada, bo] = [await workspace.member('Ada'), await workspace.member('Bo')]
  const id = await contact()
  const saved = idOf(await agent.post('/saved-searches', search(id)))
  const agentOf = async (memberId: string) => {
    const client = await workspace.keyFor(memberId)
    return async () => (await client.get(`/saved-searches/${saved}`)).status
  }
  const [byAda, byBo] = [await agentOf(ada.id), await agentOf(bo.id)]
  await agent.patch(`/contacts/${id}`, { owner_id: ada.id })
  const before = [await byAda(), await byBo()]
  await agent.patch(`/contacts/${id}`, { owner_id: bo.id })
  expect([before, [await byAda(), await byBo()]]).toEqual([
    [200, 404],
    [404, 200],
  ])
})

test('matches are the active listings, in pages', async () => {
  const list_agent_id = (await workspace.member()).id
  const list = async (more: object) =>
    idOf(await agent.post('/listings', { list_agent_id, list_price: 500_000, status: 'active', ...more }))
  const saved = idOf(await agent.post('/saved-searches', search(await contact())))
  const wanted = [await list({ bedrooms: 3 }), await list({ bedrooms: 4 }), await list({ bedrooms: 5 })]
  await list({ bedrooms: 2 })
  await list({ bedrooms: 3, status: 'coming_soon' })
  await agent.delete(`/listings/${await list({ bedrooms: 3 })}`)
  const first = (await agent.get(`/saved-searches/${saved}/matches?limit=2`)).body
  expect(first).toMatchObject({
    has_more: true,
    data: [{ bedrooms: 5, list_price: 500_000 }, { bedrooms: 4 }],
  })
  const rest = (await agent.get(`/saved-searches/${saved}/matches?limit=2&cursor=${first['next_cursor']}`))
    .body
  expect([...first['data'], ...rest['data']].map(({ id }: { id: string }) => id)).toEqual(wanted.toReversed())
})

test('without contacts:read:pii, phone numbers in a search are masked, and masks are rejected', async () => {
  const limited = await workspace.credential('contacts:read', 'contacts:write')
  const criteria = { cities: ['Call 312-555-0142'] }
  const id = idOf(
    await agent.post('/saved-searches', search(await contact(), { name: 'For 312-555-0142', criteria })),
  )
  const { body } = await limited.get(`/saved-searches/${id}`)
  expect(JSON.stringify(body)).not.toContain('555-0142')
  const sendsBack = await limited.patch(`/saved-searches/${id}`, { name: body['name'] })
  expect(errorOf(sendsBack)).toMatchObject([400, 'validation_failed', [{ path: 'name' }]])
})
