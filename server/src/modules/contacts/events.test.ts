import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'

/** A contact's events in the journal, oldest first. */
const journal = (url: string, id: string) =>
  asOwner<{ name: string; data: Record<string, unknown> }>(
    url,
    'select name, data from events where timeline_id = $1 order by id',
    [id],
  )

test('each change publishes one event, and a request that changes nothing publishes none', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { first_name: 'Ada', stage: 'LEAD', tags: ['a'] })).body
  const path = `/contacts/${id}`
  const events: string[] = ['contact.created']
  const expectEvents = async (...names: string[]) => {
    events.push(...names)
    expect((await journal(app.databaseUrl, id)).map((row) => row.name)).toEqual(events)
  }

  await expectEvents()
  await agent.patch(path, {})
  await agent.patch(path, { first_name: 'Ada', stage: 'LEAD', tags: ['a', 'a'], notes: null })
  await expectEvents()
  await agent.patch(path, { first_name: 'Eda' })
  await expectEvents('contact.updated')
  await agent.patch(path, { stage: 'NURTURE' })
  await expectEvents('contact.stage_changed')
  await agent.patch(path, { tags: ['a', 'b', 'c'] })
  await expectEvents('contact.tag_added', 'contact.tag_added')
  await agent.patch(path, { tags: ['c'] })
  await expectEvents('contact.updated')
  await agent.patch(path, {
    stage: 'TRASH',
    tags: ['c', 'd'],
    last_name: 'Reyes',
    email: 'ada@reyes.example',
  })
  await expectEvents('contact.stage_changed', 'contact.tag_added', 'contact.updated')
})

test('an unchanged contact keeps its updated_at', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id, updated_at } = (await agent.post('/contacts', { first_name: 'Ada' })).body
  app.clock.advance(1000)
  expect((await agent.patch(`/contacts/${id}`, { first_name: 'Ada' })).body.updated_at).toBe(updated_at)
  expect((await agent.patch(`/contacts/${id}`, { first_name: 'Eda' })).body.updated_at).toBe(
    app.clock.now().toISOString(),
  )
})

test('events contain phone numbers and email addresses only in masked form', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const { id } = (await agent.post('/contacts', { phone: '+13125550123', email: 'ada@reyes.example' })).body
  await agent.patch(`/contacts/${id}`, { phone: '+13125550199', email: 'other@reyes.example' })
  const text = JSON.stringify(await journal(app.databaseUrl, id))
  expect(text).toContain('+1******0123')
  for (const secret of ['3125550', 'ada@', 'other@']) expect(text).not.toContain(secret)
})

test('every event type has a title, even after its personal data is erased', async () => {
  await using app = await testApp()
  for (const type of app.runtime.eventTypes.values()) {
    expect(type.entry(type.example).title, type.name).not.toBe('')
    const rest = Object.fromEntries(
      Object.entries(type.example).filter(([name]) => !type.personal.includes(name)),
    )
    expect(type.entry(rest).title, `${type.name}, erased`).not.toBe('')
    expect(type.timelineOf(type.example), type.name).not.toBe('')
  }
})
