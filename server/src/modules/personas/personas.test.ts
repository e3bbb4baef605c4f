import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { eventsNamed } from '#test/support/journal.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => {
  app = await testApp({ now: new Date() })
  workspace = await app.workspace()
  agent = await workspace.credential()
})
afterAll(() => app[Symbol.asyncDispose]())

const alder = { name: 'Alder', disclosure: 'This is Alder, the AI assistant of Lakeside Realty.' }

const create = async (more = {}) => (await agent.post('/personas', { ...alder, ...more })).body

test('a new persona is off by default and requires a disclosure', async () => {
  expect(await create()).toMatchObject({
    ...alder,
    enabled: true,
    mode: 'off',
    channels: ['SMS'],
    max_messages_per_day: 6,
    max_unanswered: 2,
    reply_delay: 8,
    stop_on_human_message: true,
    version: 1,
  })
  expect((await agent.post('/personas', { name: 'Alder' })).status).toBe(400)
})

test('each change creates a version, and every version is kept', async () => {
  const { id } = await create({ handoff: { message: 'One moment.' } })
  const changed = await agent.patch(`/personas/${id}`, { mode: 'approve', knowledge: 'Open until 6 pm.' })
  expect(changed.body).toMatchObject({ version: 2, mode: 'approve' })
  expect((await agent.patch(`/personas/${id}`, { mode: 'approve' })).body.version).toBe(2)
  const { data } = (await agent.get(`/personas/${id}/versions`)).body
  expect(data).toMatchObject([
    { version: 2, persona_id: id, content: { mode: 'approve', knowledge: 'Open until 6 pm.' } },
    { version: 1, persona_id: id, content: { ...alder, mode: 'off', knowledge: null } },
  ])
  expect(data[0].content).not.toHaveProperty('deleted_at')
  const [event] = await eventsNamed(app.databaseUrl, workspace.id, 'persona.updated')
  expect(event).toMatchObject({
    id,
    changes: expect.arrayContaining([{ field: 'mode', from: 'off', to: 'approve' }]),
  })
})

test('a persona that is on cannot be deleted', async () => {
  const { id } = await create({ mode: 'auto' })
  expect(await agent.delete(`/personas/${id}`)).toMatchObject({
    status: 409,
    body: { error: { code: 'persona_in_use' } },
  })
  await agent.patch(`/personas/${id}`, { enabled: false })
  expect((await agent.delete(`/personas/${id}`)).status).toBe(200)
  expect((await agent.get(`/personas/${id}`)).status).toBe(404)
})

test('personas can be filtered by enabled', async () => {
  const [on, off] = [await create(), await create({ enabled: false })]
  const ids = async (query: string) =>
    (await agent.get(`/personas?limit=200&enabled=${query}`)).body.data.map((one: { id: string }) => one.id)
  expect(await ids('true')).toContain(on.id)
  expect(await ids('true')).not.toContain(off.id)
  expect(await ids('false')).toEqual([off.id])
})

test('AI settings have a switch and a daily budget, and a change is published as an event', async () => {
  expect((await agent.get('/ai-settings')).body).toEqual({
    enabled: true,
    daily_budget: 5,
    second_look: true,
  })
  expect((await agent.patch('/ai-settings', { enabled: false, daily_budget: 2.5 })).body).toEqual({
    enabled: false,
    daily_budget: 2.5,
    second_look: true,
  })
  expect((await agent.get('/ai-settings')).body).toMatchObject({ enabled: false, daily_budget: 2.5 })
  expect(await eventsNamed(app.databaseUrl, workspace.id, 'ai_settings.changed')).toMatchObject([
    { from: { enabled: true }, to: { enabled: false, daily_budget: 2.5 } },
  ])
})
