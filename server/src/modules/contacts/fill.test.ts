import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'

const source = 'Website'
const [phone, email] = ['+13125550123', 'ada@reyes.example']

test.each([
  ['phone', { email }, phone, { phone }],
  ['email', { phone }, email, { phone: '+13125550199', email }],
] as const)(
  'a lead fills in the missing %s of its contact with an event, and the next lead matches by it',
  async (field, known, filled, next) => {
    await using app = await testApp()
    const agent = await app.credential()
    const { id } = (await agent.post('/contacts', known)).body
    expect((await agent.post('/leads', { source, phone, email })).body.contact_id).toBe(id)
    expect((await agent.get(`/contacts/${id}`)).body).toMatchObject({ phone, email })
    const { data } = (await agent.get(`/contacts/${id}/events`)).body
    const [change] = data.flatMap((event: { changes: object[] }) => event.changes)
    expect(change).toMatchObject({ field, from: null, to: expect.stringContaining('***') })
    expect(JSON.stringify(change)).not.toContain(filled)
    expect((await agent.post('/leads', { source, ...next })).body.contact_id).toBe(id)
    expect((await agent.get('/contacts')).body.data).toHaveLength(1)
  },
)

test('a lead never fills in another contact’s number or email, and overwrites nothing', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const byPhone = (await agent.post('/contacts', { phone })).body
  const byEmail = (await agent.post('/contacts', { email })).body
  expect((await agent.post('/leads', { source, phone, email })).body.contact_id).toBe(byPhone.id)
  for (const contact of [byPhone, byEmail])
    expect((await agent.get(`/contacts/${contact.id}`)).body).toEqual(contact)
  expect((await agent.post('/leads', { source, phone: '+13125550199', email })).body.contact_id).toBe(
    byEmail.id,
  )
  const full = (await agent.get(`/contacts/${byEmail.id}`)).body
  expect(full).toMatchObject({ phone: '+13125550199', email })
  await agent.post('/leads', { source, phone: '+13125550188', email })
  expect((await agent.get(`/contacts/${byEmail.id}`)).body).toEqual(full)
})

test('a number from a lead matches the contact, unless it is another contact’s own number', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { phone: '+13125550199', email })).body
  const contactOf = async () => (await agent.post('/leads', { source, phone })).body.contact_id
  await agent.post('/leads', { source, phone, email })
  expect(await contactOf()).toBe(id)
  const other = (await agent.post('/contacts', { phone })).body
  expect(await contactOf()).toBe(other.id)
})

test('a lead fills in a missing postal address with an event, and never replaces one', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { phone })).body
  const capture = (context: object) => agent.post('/leads', { source, phone, context })
  const nothing = { street: null, city: null, state: null, postal_code: null, country: null }
  const to = { ...nothing, city: 'Chicago', state: 'IL', postal_code: '60614' }
  await capture({ price: 450_000 })
  expect((await agent.get(`/contacts/${id}`)).body.address).toBeNull()
  await capture({ city: 'Chicago', state: 'Illinois', zip: 60614 })
  await capture({ city: 'Evanston', zip: '60201', street: '12 Maple' })
  expect((await agent.get(`/contacts/${id}`)).body.address).toEqual(to)
  const { data } = (await agent.get('/events?type=contact.updated')).body
  const changes = data.map((event: { data: { changes: object[] } }) => event.data.changes)
  expect(changes).toEqual([[{ field: 'address', from: null, to }]])
})

test('a contact created by a lead has the address of the form from its first event on', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const context = { address: { street: '48 Alder Court', zip_code: '60614' } }
  const { contact_id } = (await agent.post('/leads', { source, phone, context })).body
  const address = { street: '48 Alder Court', city: null, state: null, postal_code: '60614', country: null }
  expect((await agent.get(`/contacts/${contact_id}`)).body.address).toEqual(address)
  const [created] = (await agent.get('/events?type=contact.created')).body.data
  expect(created.data.contact.address).toEqual(address)
})

test('address_source states whether an address came from a lead or a person', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { contact_id } = (await agent.post('/leads', { phone, source, context: { zip: '60614' } })).body
  const shownSource = async () => (await agent.get(`/contacts/${contact_id}`)).body['address_source']
  expect(await shownSource()).toBe('lead')
  await agent.patch(`/contacts/${contact_id}`, { address: { postal_code: '60614' } })
  expect(await shownSource()).toBe('contact')
  await agent.patch(`/contacts/${contact_id}`, { address: null })
  expect(await shownSource()).toBeNull()
  expect((await agent.post('/contacts', { address: { city: 'Chicago' } })).body['address_source']).toBe(
    'contact',
  )
})
