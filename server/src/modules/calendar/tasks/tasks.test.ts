import { beforeEach, expect, test } from 'vitest'
import { agent, app, openScene, workspace } from '#test/scenes/workspace.ts'
import type { Client } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'

openScene()
// Each test runs in a different minute, because of the rate limit.
beforeEach(() => app.clock.advance(120_000))

const namesOf = async (id: string) => {
  const { body } = await agent.get('/events?limit=200')
  const events = body['data'] as { event: string; data: { id: string } }[]
  return events.filter(({ data }) => data.id === id).map(({ event }) => event)
}

test('8 tasks posted 16 times each at once by two credentials are created once, with one event each', async () => {
  const other = await workspace.credential('appointments:write')
  const responses = await Promise.all(
    Array.from({ length: 128 }, (_, i) =>
      (i % 16 < 8 ? agent : other).post('/tasks', { title: `Call ${i % 8}` }),
    ),
  )
  const created = responses.filter(({ body }) => body['created'] === true)
  expect(created.map(({ status, body }) => [status, body['title']]).toSorted()).toEqual(
    Array.from({ length: 8 }, (_, i) => [201, `Call ${i}`]).toSorted(),
  )
  const ids = new Set(responses.map(({ body }) => body['id']))
  expect(ids.size).toBe(8)
  for (const { status, body } of responses) if (body['created'] === false) expect(status).toBe(200)
  for (const id of ids) expect(await namesOf(id)).toEqual(['task.created'])
})

test('a task posted again within 60 seconds is not duplicated, even if completed, unless deleted', async () => {
  const draft = { title: 'Send the disclosures', due_at: '2026-03-03T15:00:00Z' }
  const post = async (body: object) => {
    const { status, body: task } = await agent.post('/tasks', body)
    return [status, task['created'], task['id']]
  }
  const [, , id] = await post(draft)
  await agent.post(`/tasks/${id}/complete`)
  await agent.patch(`/tasks/${id}`, { title: 'Send them all' })
  app.clock.advance(60_000)
  const explicit = { ...draft, type: 'follow_up', priority: 'normal', due_at: '2026-03-03T10:00:00-05:00' }
  expect(await post(explicit)).toEqual([200, false, id])
  for (const change of [{ priority: 'high' }, { description: 'Soon' }, { title: 'Send the disclosure' }])
    expect(await post({ ...draft, ...change })).toMatchObject([201, true, expect.not.stringContaining(id)])
  app.clock.advance(1)
  const [, isNew, next] = await post(draft)
  expect([isNew, next === id]).toEqual([true, false])
  await agent.delete(`/tasks/${next}`)
  expect((await post(draft)).slice(0, 2)).toEqual([201, true])
})

test('a task is assigned to the acting member or the contact owner, and only within reach', async () => {
  const [member, other] = [await workspace.member(), await workspace.member()]
  const contact_id = idOf(await agent.post('/contacts', { owner_id: member.id }))
  const post = (client: Client, body: object) => client.post('/tasks', { title: 'Call', ...body })
  expect((await post(agent, { contact_id })).body).toMatchObject({ assignee_id: member.id })
  const key = await workspace.keyFor(member.id)
  expect((await post(key, { title: 'Write' })).body).toMatchObject({ assignee_id: member.id })
  expect((await post(key, { assignee_id: other.id })).status).toBe(404)
  const handed = idOf(await post(key, { title: 'Mail' }))
  expect((await key.patch(`/tasks/${handed}`, { assignee_id: other.id })).status).toBe(404)
})

test('a task can be completed, reopened, and completed again, with the time of completion', async () => {
  const contact_id = idOf(await agent.post('/contacts'))
  const id = idOf(await agent.post('/tasks', { title: 'Order the sign', contact_id }))
  app.clock.advance(1000)
  const first = await agent.post(`/tasks/${id}/complete`)
  expect(first.body).toMatchObject({ status: 'completed', completed_at: app.clock.now().toISOString() })
  app.clock.advance(1000)
  expect((await agent.post(`/tasks/${id}/complete`)).body).toEqual(first.body)
  const opened = await agent.patch(`/tasks/${id}`, { status: 'open' })
  expect(opened.body).toMatchObject({ status: 'open', completed_at: null })
  await agent.patch(`/tasks/${id}`, { status: 'completed', priority: 'high' })
  expect(await namesOf(id)).toEqual(['task.completed', 'task.completed', 'task.created'])
  const { body } = await agent.get(`/contacts/${contact_id}/events`)
  const titles = (body['data'] as { title: string }[]).map(({ title }) => title)
  expect(titles.slice(0, 4)).toEqual([
    'Task completed: Order the sign',
    'Task changed',
    'Task changed',
    'Task completed: Order the sign',
  ])
})

test('a deleted task returns 404 and can be restored within 30 days', async () => {
  const id = idOf(await agent.post('/tasks', { title: 'Old' }))
  expect((await agent.delete(`/tasks/${id}`)).body).toEqual({ id, deleted: true })
  const gone = await Promise.all([
    agent.get(`/tasks/${id}`),
    agent.patch(`/tasks/${id}`, { title: 'New' }),
    agent.post(`/tasks/${id}/complete`),
    agent.delete(`/tasks/${id}`),
  ])
  expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404])
  app.clock.advance(30 * 86_400_000)
  const back = await agent.post(`/tasks/${id}/restore`)
  expect(back).toMatchObject({ status: 200, body: { title: 'Old' } })
  expect((await agent.post(`/tasks/${id}/restore`)).body).toEqual(back.body)
  await agent.delete(`/tasks/${id}`)
  app.clock.advance(30 * 86_400_000 + 1)
  expect((await agent.post(`/tasks/${id}/restore`)).status).toBe(404)
})

test('due_after and due_before filter by due time', async () => {
  const assignee_id = (await workspace.member()).id
  const post = async (due_at?: string) =>
    idOf(await agent.post('/tasks', { title: 'Due', assignee_id, due_at }))
  const [one, two] = [await post('2026-05-01T09:00:00Z'), await post('2026-05-01T10:00:00Z')]
  await post()
  const list = async (query: string) => {
    const { body } = await agent.get(`/tasks?assignee_id=${assignee_id}&${query}`)
    return body['data'].map(({ id }: { id: string }) => id)
  }
  expect(await list('due_after=2026-05-01T09:00:00Z')).toEqual([two, one])
  expect(await list('due_before=2026-05-01T10:00:00Z')).toEqual([one])
})

test('an erasure clears titles and descriptions, also in events', async () => {
  const contact_id = idOf(await agent.post('/contacts', { first_name: 'Ada' }))
  const draft = { title: 'Call Ada', description: 'Ada prefers mornings.', contact_id }
  const id = idOf(await agent.post('/tasks', draft))
  await agent.patch(`/tasks/${id}`, { description: 'Ada prefers evenings.' })
  const joined = idOf(await agent.post('/tasks', { title: 'Call Ada back' }))
  await agent.patch(`/tasks/${joined}`, { contact_id })
  await agent.delete(`/contacts/${contact_id}`)
  expect((await agent.get(`/tasks/${id}`)).body).toMatchObject({
    title: 'Erased',
    description: null,
    contact_id,
  })
  const rewritten = await agent.patch(`/tasks/${id}`, { title: 'Ada again' })
  expect(rewritten).toMatchObject({ status: 409, body: { error: { code: 'contact_erased' } } })
  expect((await agent.post('/tasks', draft)).status).toBe(409)
  expect((await agent.post(`/tasks/${id}/complete`)).status).toBe(200)
  const { body } = await agent.get('/events?limit=200')
  const about = body['data'].filter(({ data }: { data: { id: string } }) => [id, joined].includes(data.id))
  expect(about.length).toBeGreaterThan(2)
  expect(JSON.stringify(about)).not.toMatch(/Ada/)
})

test('overdue tasks are open and past due', async () => {
  const client = await app.credential()
  const add = async (draft: object) =>
    (await client.post('/tasks', { title: 'Call', ...draft })).body['id'] as string
  const past = new Date(app.clock.now().getTime() - 60_000).toISOString()
  const future = new Date(app.clock.now().getTime() + 3_600_000).toISOString()
  const late = await add({ due_at: past })
  const rest = [await add({ due_at: future }), await add({})]
  const done = await add({ due_at: past, title: 'Write' })
  await client.patch(`/tasks/${done}`, { status: 'completed' })
  const found = async (query: string) =>
    (await client.get(`/tasks?${query}`)).body['data'].map(({ id }: { id: string }) => id) as string[]
  expect(await found('overdue=true')).toEqual([late])
  expect(await found('overdue=false')).toEqual([done, ...rest.toReversed()])
  expect((await client.get('/tasks/count?overdue=true')).body).toEqual({ count: 1, exact: true })
})
