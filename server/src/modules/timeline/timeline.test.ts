import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'

test('a note appears on the timeline and among the notes with its author, and pauses the AI', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { first_name: 'Ada' })).body
  app.clock.advance(1000)
  const note = await agent.post(`/contacts/${id}/notes`, { body: 'Prefers mornings.\nCall first.' })
  expect(note).toMatchObject({
    status: 201,
    body: {
      contact_id: id,
      type: 'note',
      body: 'Prefers mornings.\nCall first.',
      actor: { type: 'api_key', id: agent.keyId, name: 'A key' },
      subject: { type: 'contact', id },
      occurred_at: app.clock.now().toISOString(),
    },
  })
  expect((await agent.get(`/contacts/${id}/notes`)).body.data).toEqual([note.body])
  const timeline = (await agent.get(`/contacts/${id}/events`)).body.data
  expect(timeline.map((event: { type: string }) => event.type)).toEqual(['note', 'system'])
  const contact = (await agent.get(`/contacts/${id}`)).body
  expect(contact).toMatchObject({ ai_auto_response: 'paused', updated_at: app.clock.now().toISOString() })
  expect((await agent.patch(`/contacts/${id}`, { ai_auto_response: 'active' })).body.ai_auto_response).toBe(
    'active',
  )
})

test.each([
  ['empty', '', 400],
  ['of 20,000 characters', '😀'.repeat(20_000), 201],
  ['of 20,001 characters', '😀'.repeat(20_001), 400],
])('the length limit applies to a note %s', async (_, body, status) => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', {})).body
  expect((await agent.post(`/contacts/${id}/notes`, { body })).status).toBe(status)
})

test('events:read alone shows that a detail changed, but not the values', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const reader = await workspace.credential('events:read')
  const { id } = (await agent.post('/contacts', { last_name: 'Reyes' })).body
  await agent.patch(`/contacts/${id}`, { last_name: 'Ramos' })
  const changesFor = async (client: typeof agent) =>
    (await client.get(`/contacts/${id}/events`)).body.data[0].changes
  expect(await changesFor(agent)).toEqual([{ field: 'last_name', from: 'Reyes', to: 'Ramos' }])
  expect(await changesFor(reader)).toEqual([{ field: 'last_name', from: null, to: null }])
})

test('events within the same millisecond keep their order', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', {})).body
  for (let i = 0; i < 20; i++) await agent.post(`/contacts/${id}/notes`, { body: `Note ${i}` })
  const { data } = (await agent.get(`/contacts/${id}/notes`)).body
  expect(data.map((note: { body: string }) => note.body)).toEqual(
    Array.from({ length: 20 }, (_, i) => `Note ${19 - i}`),
  )
})

test('a timeline can be limited to types of entries, and each event has entries of one type', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { first_name: 'Ada' })).body
  await agent.post(`/contacts/${id}/notes`, { body: 'Prefers mornings.' })
  await agent.patch(`/contacts/${id}`, { stage: 'SPHERE', tags: ['vip'] })
  interface Entry {
    id: string
    type: string
  }
  const entries = async (query = ''): Promise<Entry[]> =>
    (await agent.get(`/contacts/${id}/events${query}`)).body.data
  const all = await entries()
  const types = [...new Set(all.map(({ type }) => type))]
  expect(types.toSorted()).toEqual(['note', 'stage_change', 'system', 'tag_added'])
  for (const type of types)
    expect(await entries(`?type=${type}`)).toEqual(all.filter((entry) => entry.type === type))
  expect(await entries('?type=note,tag_added')).toEqual(
    all.filter(({ type }) => type === 'note' || type === 'tag_added'),
  )
  expect((await agent.get(`/contacts/${id}/events?type=notes`)).status).toBe(400)
})
