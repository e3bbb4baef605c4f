import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'

const source = 'Website'
const [phone, email] = ['+13125550123', 'ada@reyes.example']

test.each([
  ['phone', { email }, phone, { phone }],
  ['email', { phone }, email, { phone: '+13125550199', email }],
] as const)(
  'a lead fills in the %s that its contact lacks, as an audited change, and the next lead by it alone finds the contact',
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

test('a number or address of another contact is not filled in, and nothing is overwritten', async () => {
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

test('a number that only a lead brought finds the contact, unless it is another contact’s own', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { phone: '+13125550199', email })).body
  const contactOf = async () => (await agent.post('/leads', { source, phone })).body.contact_id
  await agent.post('/leads', { source, phone, email })
  expect(await contactOf()).toBe(id)
  const other = (await agent.post('/contacts', { phone })).body
  expect(await contactOf()).toBe(other.id)
})
