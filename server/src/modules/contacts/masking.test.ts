import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'

test('without contacts:read:pii, contacts, notes, and leads are masked, and a mask cannot be written back', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const few = await workspace.credential('contacts:write', 'leads:write', 'events:read')
  const [text, masked] = ['Ada 312‑555‑0123', 'Ada ******0123']
  const draft = { first_name: text, last_name: text, source: text, tags: [text], notes: text }
  const { id } = (await agent.post('/contacts', draft)).body
  const shown = { first_name: masked, last_name: masked, source: masked, tags: [masked], notes: masked }
  expect((await agent.get(`/contacts/${id}`)).body).toMatchObject(draft)
  expect((await few.get(`/contacts/${id}`)).body).toMatchObject(shown)
  expect((await few.get('/contacts')).body.data).toMatchObject([shown])
  expect((await few.get('/contacts?q=5550123')).body.data).toEqual([])
  expect((await few.get('/contacts?q=555')).body.data).toEqual([])
  expect((await agent.get('/contacts?q=555')).body.data).toHaveLength(1)
  await agent.post(`/contacts/${id}/notes`, { body: text })
  expect((await agent.get(`/contacts/${id}/notes`)).body.data[0].body).toBe(text)
  for (const list of ['notes', 'events'])
    expect((await few.get(`/contacts/${id}/${list}`)).body.data[0].body).toBe(masked)
  for (const [path, value] of Object.entries(shown)) {
    const { status, body } = await few.patch(`/contacts/${id}`, { [path]: value })
    expect([status, body.error.details]).toEqual([400, [expect.objectContaining({ path })]])
    expect((await agent.patch(`/contacts/${id}`, { [path]: value })).status).toBe(200)
  }
  expect((await few.post(`/contacts/${id}/notes`, { body: masked })).status).toBe(400)
  const lead = { phone: '+13125550199', source: text, source_ref: text, first_name: text, context: { text } }
  const { body } = await few.post('/leads', lead)
  expect(body).toMatchObject({
    source: masked,
    source_ref: masked,
    first_name: masked,
    context: { text: masked },
  })
  expect((await few.post('/leads', { ...lead, source: masked })).status).toBe(400)
})
