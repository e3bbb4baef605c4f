import { expect, test } from 'vitest'
import { newId } from '#kernel/ids.ts'
import { deal, openDeals, pipelines, stage } from '#test/scenes/deals.ts'
import { agent, app, workspace } from '#test/scenes/workspace.ts'
import { asOwner } from '#test/support/database.ts'
import { readDealsAgainIn } from './read-again.ts'

openDeals()

const eventsOf = async (id: string) =>
  (await agent.get('/events?limit=200')).body['data']
    .filter(({ data }: { data: { id: string } }) => data.id === id)
    .map(({ event, data }: { event: string; data: object }) => [event, data])
    .toReversed() as [string, Record<string, unknown>][]
const newNames = async (id: string, since: number) => (await eventsOf(id)).slice(since).map(([name]) => name)

test('an empty body creates an open deal in the first stage of the default pipeline', async () => {
  app.clock.advance(60_000)
  expect(await deal()).toMatchObject({
    name: null,
    type: 'buyer',
    status: 'open',
    pipeline_id: pipelines['Buyers']?.id,
    stage_id: stage('Buyers', 'New'),
    probability: 10,
    contact_id: null,
    contact_ids: [],
    currency: 'USD',
    commission: null,
    created_by: { type: 'api_key' },
    stage_changed_at: app.clock.now().toISOString(),
  })
})

test('each change and each move publishes one event, and a request without changes publishes none', async () => {
  app.clock.advance(60_000)
  const contact = (await agent.post('/contacts', { first_name: 'Ada' })).body['id']
  const { id, ...created } = await deal({ name: 'Call 312 555 0123', contact_id: contact, price: 450_000 })
  expect(await eventsOf(id)).toMatchObject([
    [
      'deal.created',
      {
        contact_id: contact,
        contact_ids: [contact],
        price: 450_000,
        status: 'open',
        name: 'Call ******0123',
      },
    ],
  ])
  const patch = async (body: object) => agent.patch(`/deals/${id}`, body)
  await patch({ price: 450_000.0, name: created['name'], contact_ids: [contact], probability: null })
  expect(await newNames(id, 1)).toEqual([])
  await patch({ price: 460_000.5, probability: 33 })
  await patch({ stage_id: stage('Buyers', 'Offer') })
  await patch({ status: 'won', offer_price: 455_000 })
  expect((await eventsOf(id)).slice(1)).toMatchObject([
    [
      'deal.updated',
      {
        price: 460_000.5,
        changes: [
          { field: 'price', from: 450_000, to: 460_000.5 },
          { field: 'probability', from: null, to: 33 },
        ],
      },
    ],
    [
      'deal.stage_changed',
      { from_stage: { name: 'New' }, to_stage: { name: 'Offer' }, status: 'open', contact_id: contact },
    ],
    ['deal.stage_changed', { from_stage: { name: 'Offer' }, to_stage: { name: 'Closed' }, status: 'won' }],
    [
      'deal.updated',
      {
        changes: [
          { field: 'offer_price', from: null, to: 455_000 },
          { field: 'close_date', from: null, to: '2026-03-02' },
        ],
      },
    ],
  ])
  expect((await agent.get(`/deals/${id}`)).body['probability']).toBe(33)
  expect((await patch({ probability: null })).body['probability']).toBe(100)
})

test('a deal is on the timelines of all its contacts, including what happened before they joined', async () => {
  app.clock.advance(60_000)
  const [ada, bo] = await Promise.all(
    ['Ada', 'Bo'].map(async (first_name) => (await agent.post('/contacts', { first_name })).body['id']),
  )
  const { id } = await deal({ contact_ids: [ada] })
  await agent.patch(`/deals/${id}`, { contact_ids: [ada, bo], stage_id: stage('Buyers', 'Offer') })
  const titles = async (contact: string) =>
    (await agent.get(`/contacts/${contact}/events`)).body['data'].map(({ title }: { title: string }) => title)
  const shared = ['Deal updated', 'Deal moved from New to Offer', 'Deal created']
  expect(await titles(ada)).toEqual([...shared, 'Contact created'])
  expect(await titles(bo)).toEqual(expect.arrayContaining(shared))
})

test('an unknown reference returns 404 with its path, and an erased contact 409', async () => {
  app.clock.advance(60_000)
  const { id: known } = (await agent.post('/contacts')).body
  const { id: erased } = (await agent.post('/contacts')).body
  await agent.delete(`/contacts/${erased}`)
  const nothing = newId(app.clock.now())
  const member = (await workspace.member()).id
  for (const [body, path] of [
    [{ contact_ids: [known, nothing] }, 'contact_ids.1'],
    [{ contact_ids: [''] }, 'contact_ids.0'],
    [
      {
        participants: [
          { member_id: member, role: 'Agent' },
          { contact_id: nothing, role: 'Lender' },
        ],
      },
      'participants.1.contact_id',
    ],
    [{ participants: [{ member_id: nothing, role: 'Agent' }] }, 'participants.0.member_id'],
    [{ commission: { splits: [{ percent: 100, payee_id: nothing }] } }, 'commission.splits.0.payee_id'],
    [
      { commission: { splits: [{ percent: 100, payee_type: 'office', payee_id: member }] } },
      'commission.splits.0.payee_id',
    ],
  ] as const)
    expect(await agent.post('/deals', body)).toMatchObject({
      status: 404,
      body: { error: { details: [{ path }] } },
    })
  for (const body of [
    { contact_ids: [known, erased] },
    { participants: [{ contact_id: erased, role: 'Lender' }] },
  ])
    expect(await agent.post('/deals', body)).toMatchObject({
      status: 409,
      body: { error: { code: 'contact_erased' } },
    })
  const { id } = await deal({ contact_ids: [known] })
  expect(
    (await agent.patch(`/deals/${id}`, { place: { after: nothing } })).body['error'].details,
  ).toMatchObject([{ path: 'place.after' }])
  await agent.delete(`/contacts/${known}`)
  expect(await agent.patch(`/deals/${id}`, { contact_ids: [known], price: 1 })).toMatchObject({ status: 200 })
})

test.each<[string, object, string]>([
  ['a first contact that is not the first', { contact_id: null, contact_ids: ['x'] }, 'contact_id'],
  ['a participant who is no one', { participants: [{ role: 'Lender' }] }, 'participants.0'],
  ['cents in yen', { currency: 'JPY', price: 1.5 }, 'price'],
  ['a tenth of a cent', { price: 1.005 }, 'price'],
  ['an invalid day', { close_date: '2026-02-29' }, 'close_date'],
])('%s returns 400', async (_, body, path) => {
  const { id } = await deal()
  expect((await agent.patch(`/deals/${id}`, body)).body['error'].details).toMatchObject([{ path }])
})

test('a deleted deal returns 404 everywhere until it is restored within 30 days', async () => {
  app.clock.advance(60_000)
  const { id } = await deal({ name: 'Zebrawood' })
  expect((await agent.delete(`/deals/${id}`)).body).toEqual({ id, deleted: true })
  const { id: other } = await deal()
  for (const response of [
    await agent.get(`/deals/${id}`),
    await agent.patch(`/deals/${id}`, { price: 1 }),
    await agent.delete(`/deals/${id}`),
    await agent.patch(`/deals/${other}`, { place: { after: id } }),
  ])
    expect(response.status).toBe(404)
  const listed = async (query: string) =>
    (await agent.get(`/deals?limit=200${query}`)).body['data'].map((one: { id: string }) => one.id)
  expect(await listed('')).not.toContain(id)
  expect(await listed('&q=zebrawood')).toEqual([])
  app.clock.advance(30 * 24 * 3_600_000 - 60_000)
  expect((await agent.post(`/deals/${id}/restore`)).body).toMatchObject({ id, name: 'Zebrawood' })
  expect((await agent.post(`/deals/${id}/restore`)).status).toBe(200)
  expect(await listed('&q=zebra')).toEqual([id])
  await agent.delete(`/deals/${id}`)
  app.clock.advance(30 * 24 * 3_600_000 + 1000)
  expect((await agent.post(`/deals/${id}/restore`)).status).toBe(404)
})

test('q matches words of the name, ignoring case and accents, with every filter, but no phone number', async () => {
  app.clock.advance(60_000)
  const contact_id = (await agent.post('/contacts')).body['id']
  const found = (
    await deal({ name: 'Núñez, 7 Quince Lane 312 555 0123', contact_id, expected_close_date: '2026-05-01' })
  ).id
  await deal({ name: 'Quince Court', expected_close_date: '2026-06-01' })
  const ids = async (query: string) =>
    (await agent.get(`/deals?${query}`)).body['data'].map((one: { id: string }) => one.id)
  for (const query of [
    'q=nunez quince',
    'q=quin lan',
    'q=quince&expected_close_to=2026-05-01',
    `q=quince&contact_id=${contact_id}`,
    `q=7 qu&status=open&type=buyer&pipeline_id=${pipelines['Buyers']?.id}&stage_id=${stage('Buyers', 'New')}`,
    `expected_close_from=2026-05-01&expected_close_to=2026-05-31`,
  ])
    expect(await ids(query), query).toEqual([found])
  for (const query of ['q=5550123', 'q=quince&status=won', `q=court&contact_id=${contact_id}`, 'q=--'])
    expect(await ids(query), query).toEqual([])
})

test.for<[name: string, queries: readonly string[]]>([
  ['O’Brien – 48 Alder Ct', ["O'Brien", 'obrien', 'o brien', '48 alder', 'OBRIEN,alder']],
  ['Strauß/Łuczak', ['strauss', 'luczak', 'lu', 'Luczak;Strauß']],
  ['Søndergaard & Đặng', ['sondergaard', 'dang', 'søndergaard dang']],
  ['Anne-Marie’s condo #3B', ['annemarie', 'anne marie', '3b', '#3B']],
  ['Æsa (relocation)', ['aesa', 'relocation', 're']],
])('the deal %j is found by %j', async ([name, queries]) => {
  const other = await app.workspace()
  const owner = await other.credential()
  const [pipeline] = (await owner.get('/pipelines')).body['data']
  const { id } = (await owner.post('/deals', { pipeline_id: pipeline.id, name })).body
  expect(id).toBeDefined()
  const foundBy = async (q: string) =>
    (await owner.get(`/deals?q=${encodeURIComponent(q)}`)).body['data'].map((one: { id: string }) => one.id)
  for (const q of queries) expect(await foundBy(q), q).toEqual([id])
  await asOwner(app.databaseUrl, `update deals set search_name = ' x', search_by = null where id = '${id}'`)
  expect(await foundBy(queries[0] ?? '')).toEqual([])
  expect(await readDealsAgainIn(app.runtime, other.id)).toBe(1)
  expect(await readDealsAgainIn(app.runtime, other.id)).toBe(0)
  for (const q of queries) expect(await foundBy(q), q).toEqual([id])
})

test('deals in a date range are listed newest first, page by page, across months', async () => {
  app.clock.advance(60_000)
  const { id: owner_id } = await workspace.member()
  const days = [
    '2031-03-31',
    '2030-12-01',
    '2031-01-31',
    '2031-02-01',
    '2032-01-01',
    '2031-01-01',
    '2031-02-28',
  ]
  const ids: string[] = []
  for (const expected_close_date of days) ids.unshift((await deal({ owner_id, expected_close_date })).id)
  await deal({ owner_id })
  const list = async (query: string) => {
    const { data, next_cursor } = (await agent.get(`/deals?owner_id=${owner_id}&${query}`)).body
    return [data.map((one: { id: string }) => one.id), next_cursor] as const
  }
  const within = (from: string, to: string) =>
    days.toReversed().flatMap((day, i) => (day >= from && day <= to ? [ids[i]] : []))
  expect((await list('expected_close_from=2031-01-01'))[0]).toEqual(within('2031-01-01', '9999-12-31'))
  expect((await list('expected_close_to=2031-01-31'))[0]).toEqual(within('0001-01-01', '2031-01-31'))
  const range = 'expected_close_from=2031-01-31&expected_close_to=2031-02-28&limit=2'
  const [first, cursor] = await list(range)
  const [second, end] = await list(`${range}&cursor=${cursor}`)
  expect([[...first, ...second], end]).toEqual([within('2031-01-31', '2031-02-28'), null])
  expect((await list('expected_close_from=2033-01-01'))[0]).toEqual([])
})

test('agents own the deals they add and cannot assign them to anyone out of reach', async () => {
  const [mine, foreign] = [await workspace.member(), await workspace.member()]
  const client = await workspace.keyFor(mine.id)
  const { id, owner_id } = (await client.post('/deals')).body
  expect(owner_id).toBe(mine.id)
  const contact = (await agent.post('/contacts', { owner_id: foreign.id })).body['id']
  for (const body of [
    { owner_id: foreign.id },
    { contact_ids: [contact] },
    { participants: [{ member_id: foreign.id, role: 'Agent' }] },
  ]) {
    expect((await client.post('/deals', body)).status).toBe(404)
    expect((await client.patch(`/deals/${id}`, body)).status).toBe(404)
  }
  await agent.patch(`/deals/${id}`, { contact_ids: [contact] })
  expect((await client.patch(`/deals/${id}`, { contact_ids: [contact], name: 'Ours' })).status).toBe(200)
})

test('an erasure removes names, texts, and streets from the contact’s deals and their events', async () => {
  app.clock.advance(60_000)
  const [ada, bo] = [(await agent.post('/contacts')).body['id'], (await agent.post('/contacts')).body['id']]
  const address = { street: '12 Zembla Street', city: 'Chicago' }
  const texts = { name: 'Zembla', description: 'Zembla', lost_reason: 'Zembla' }
  const { id } = await deal({ ...texts, address, price: 5 })
  await agent.patch(`/deals/${id}`, { contact_ids: [bo], name: 'Zembla, again' })
  await agent.patch(`/deals/${id}`, { contact_ids: [bo, ada], stage_id: stage('Buyers', 'Offer') })
  const guest = await deal({ ...texts, participants: [{ contact_id: ada, role: 'Guarantor' }] })
  await agent.delete(`/contacts/${ada}`)
  const after = (await agent.get(`/deals/${id}`)).body
  expect(after).toMatchObject({
    name: null,
    description: null,
    lost_reason: null,
    price: 5,
    contact_ids: [bo, ada],
    address: { street: null, city: 'Chicago' },
  })
  const left = [
    await eventsOf(id),
    await eventsOf(guest['id']),
    (await agent.get(`/deals/${guest['id']}`)).body,
  ]
  expect(JSON.stringify(left)).not.toContain('Zembla')
  expect((await agent.get('/deals?q=zembla')).body.data).toEqual([])
})
