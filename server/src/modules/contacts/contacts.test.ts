import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'

const ada = {
  first_name: 'Ada',
  last_name: 'Reyes',
  email: 'ada@reyes.example',
  phone: '+13125550123',
  stage: 'NURTURE',
  source: 'Open house',
  tags: ['buyer', 'downtown'],
  notes: 'Two bedrooms.',
}

test('a contact is created with the fields sent and is read back unchanged', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const created = await agent.post('/contacts', ada)
  expect(created.status).toBe(201)
  expect(created.body).toMatchObject({ ...ada, owner_id: null, ai_auto_response: 'active', erased_at: null })
  expect(created.body.created_at).toBe(app.clock.now().toISOString())
  expect((await agent.get(`/contacts/${created.body.id}`)).body).toEqual(created.body)
})

test('every field is optional, and so is the body', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const blank = { email: null, stage: 'LEAD', tags: [], owner_id: null, ai_auto_response: 'active' }
  expect((await agent.request('POST', '/contacts')).body).toMatchObject(blank)
  expect((await agent.post('/contacts', {})).body).toMatchObject(blank)
})

test('null clears only the fields that allow it', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', ada)).body
  const empty = {
    first_name: null,
    last_name: null,
    email: null,
    phone: null,
    source: null,
    notes: null,
    owner_id: null,
  }
  expect((await agent.patch(`/contacts/${id}`, empty)).body).toMatchObject(empty)
  for (const field of ['stage', 'tags', 'ai_auto_response']) {
    expect((await agent.patch(`/contacts/${id}`, { [field]: null })).status).toBe(400)
  }
  for (const field of Object.keys(ada))
    expect((await agent.post('/contacts', { [field]: null })).body, field).toMatchObject({
      ...empty,
      stage: 'LEAD',
      tags: [],
    })
})

test.each([
  ['.ada@reyes.example', 400],
  ['ada..b@reyes.example', 400],
  ['ada@reyes', 400],
  ['ada@reyes.e', 400],
  ['ada.@reyes.example', 400],
  ['ada@-reyes.example', 400],
  ['ada @reyes.example', 400],
  [`${'a'.repeat(250)}@reyes.example`, 400],
  ['a@reyes.ex', 201],
  ["o'hara+home_1@mail.reyes-homes.example", 201],
])('the email address %s returns %i', async (email, status) => {
  await using app = await testApp()
  const agent = await app.credential()
  expect((await agent.post('/contacts', { email })).status).toBe(status)
})

test('phone and email are masked in every response without contacts:read:pii', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential('contacts:write', 'events:read')
  const masked = { phone: '+1******0123', email: 'a***@reyes.example' }
  const created = await agent.post('/contacts', ada)
  expect(created.body).toMatchObject(masked)
  const path = `/contacts/${created.body.id}`
  expect((await agent.get(path)).body).toMatchObject(masked)
  expect((await agent.patch(path, { first_name: 'Eda' })).body).toMatchObject(masked)
  expect((await agent.get('/contacts')).body.data).toMatchObject([masked])
  expect((await agent.get('/contacts?fields=phone')).body.data).toEqual([
    { id: created.body.id, phone: masked.phone },
  ])
  await agent.patch(path, { phone: '+13125550199' })
  const [change] = (await agent.get(`${path}/events`)).body.data
  expect(change.changes).toEqual([{ field: 'phone', from: '+1******0123', to: '+1******0199' }])
  const pii = await workspace.credential('contacts:read:pii')
  expect((await pii.get(path)).body).toMatchObject({ phone: '+13125550199', email: ada.email })
})

test('a masked number sent back is rejected and does not overwrite the real number', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential('contacts:write')
  const { id, phone } = (await agent.post('/contacts', ada)).body
  expect((await agent.patch(`/contacts/${id}`, { phone, first_name: 'Eda' })).status).toBe(400)
  expect((await agent.post('/contacts', { phone: '*67 312 555 0123' })).status).toBe(201)
  const pii = await workspace.credential('contacts:read:pii')
  expect((await pii.get(`/contacts/${id}`)).body).toMatchObject({ phone: ada.phone, first_name: 'Ada' })
})

test('an owner outside the workspace returns 404 with the path owner_id', async () => {
  await using app = await testApp()
  const [mine, other] = [await app.workspace(), await app.workspace()]
  const agent = await mine.credential()
  const owner = await mine.member()
  const foreign = await other.member()
  const contact = (await agent.post('/contacts', { owner_id: owner.id })).body
  expect(contact.owner_id).toBe(owner.id)
  for (const owner_id of [foreign.id, 'no-such-member']) {
    const rejected = [
      await agent.post('/contacts', { owner_id }),
      await agent.post('/contacts', { owner_id }, { 'idempotency-key': `owner-${owner_id}` }),
      await agent.patch(`/contacts/${contact.id}`, { owner_id }),
    ]
    for (const { status, body } of rejected) {
      expect(status).toBe(404)
      expect(body.error).toMatchObject({ code: 'not_found', details: [{ path: 'owner_id' }] })
    }
  }
  expect((await agent.get('/contacts')).body.data).toHaveLength(1)
})

test('lists filter by stage, source, tag, owner, and words, alone and combined', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const owner = await workspace.member()
  const names = async (query: string) =>
    (await agent.get(`/contacts?${query}`)).body.data.map(
      (contact: { first_name: string }) => contact.first_name,
    )
  await agent.post('/contacts', { ...ada, owner_id: owner.id })
  await agent.post('/contacts', {
    first_name: 'José',
    last_name: 'Ramírez',
    stage: 'LEAD',
    tags: ['Buyer'],
    source: 'Web',
  })
  await agent.post('/contacts', { first_name: '100%_real\\', last_name: 'Anders', phone: '(312) 555-0177' })

  expect(await names('')).toEqual(['100%_real\\', 'José', 'Ada'])
  expect(await names('stage=NURTURE')).toEqual(['Ada'])
  expect(await names('source=Web')).toEqual(['José'])
  expect(await names('tag=buyer')).toEqual(['José', 'Ada'])
  expect(await names(`owner_id=${owner.id}`)).toEqual(['Ada'])
  expect(await names('q=ramirez')).toEqual(['José'])
  expect(await names('q=JOS%C3%89+ram')).toEqual(['José'])
  expect(await names('q=ramirez+ada')).toEqual([])
  expect(await names('q=a')).toEqual(['100%_real\\', 'Ada'])
  expect(await names('q=ad')).toEqual(['Ada'])
  expect(await names('q=da')).toEqual([])
  expect(await names('q=yes')).toEqual(['Ada'])
  expect(await names('q=%25')).toEqual([])
  expect(await names('q=%5F')).toEqual([])
  expect(await names('q=10')).toEqual(['100%_real\\'])
  expect(await names(`q=${encodeURIComponent('%_real\\')}`)).toEqual(['100%_real\\'])
  expect(await names('q=%25%25%25')).toEqual([])
  expect(await names('q=3125550177')).toEqual(['100%_real\\'])
  expect(await names('q=ada@reyes.example')).toEqual(['Ada'])
  expect(await names('q=+')).toHaveLength(3)
  expect(await names(`stage=NURTURE&tag=BUYER&q=reyes&source=Open+house&owner_id=${owner.id}`)).toEqual([
    'Ada',
  ])
  expect(await names('stage=SPHERE&tag=buyer')).toEqual([])
})

test('a search ignores words without a letter or digit, and finds nothing if it has no others', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const names = async (q: string) =>
    (await agent.get(`/contacts?q=${encodeURIComponent(q)}`)).body.data.map(
      (contact: { first_name: string }) => contact.first_name,
    )
  for (const [first_name, last_name] of [
    ['José & Ana', 'Ramírez'],
    ['#!', 'Ana-Lu'],
    ['A-- plus', 'Xa--'],
  ] as const)
    await agent.post('/contacts', { first_name, last_name })
  for (const q of ['#!', '#', '&', '---', '😀', '# !']) expect(await names(q), q).toEqual([])
  expect(await names('ana & josé')).toEqual(['José & Ana'])
  expect(await names('--- ana-l')).toEqual(['#!'])
  expect(await names('-lu')).toEqual(['#!'])
  expect(await names('a--')).toEqual(['A-- plus', '#!', 'José & Ana'])
  expect(await names('xa-')).toEqual(['A-- plus'])
})

test('q searches phone and email only with contacts:read:pii', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const reader = await workspace.credential('contacts:read')
  const writer = await workspace.credential('contacts:write')
  await writer.post('/contacts', ada)
  for (const q of ['3125550', '0123', '55', 'ada@', 'reyes.example']) {
    expect((await reader.get(`/contacts?q=${q}`)).body.data, q).toEqual([])
  }
  expect((await reader.get('/contacts?q=reyes')).body.data).toHaveLength(1)
})

test('tags are deduplicated, and limited to thirty', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const tags = Array.from({ length: 30 }, (_, i) => `tag ${i}`)
  expect((await agent.post('/contacts', { tags })).body.tags).toEqual(tags)
  expect((await agent.post('/contacts', { tags: ['a', 'b', 'a'] })).body.tags).toEqual(['a', 'b'])
  expect((await agent.post('/contacts', { tags: [...tags, 'one more'] })).status).toBe(400)
})

test('thirty concurrent changes to different fields of one contact are all kept', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { tags: [] })).body
  const patches = [
    ...Array.from({ length: 10 }, (_, i) => ({ first_name: `A${i}` })),
    ...Array.from({ length: 10 }, (_, i) => ({ last_name: `B${i}` })),
    ...Array.from({ length: 10 }, (_, i) => ({ source: `C${i}` })),
  ]
  await Promise.all(patches.map((patch) => agent.patch(`/contacts/${id}`, patch)))
  const { body } = await agent.get(`/contacts/${id}`)
  expect([body.first_name, body.last_name, body.source].join()).toMatch(/^A\d,B\d,C\d$/)
  const { data } = (await agent.get(`/contacts/${id}/events?limit=200`)).body
  expect(data.filter((event: { title: string }) => event.title === 'Contact updated')).toHaveLength(30)
})
