import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import { personIn } from '#test/support/browser.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner } from '#test/support/database.ts'
import { capture } from '#test/support/leads.ts'
import { sessionClient } from '#test/support/session-client.ts'
import { setMemberActive } from '../workspaces/public.ts'

let app: TestApp
let workspace: TestWorkspace
let admin: Client
let id: string

beforeAll(async () => void (app = await testApp()))
beforeEach(async () => {
  workspace = await app.workspace()
  admin = await workspace.credential()
  id = (await workspace.member('Ada Reyes')).id
})
afterAll(() => app[Symbol.asyncDispose]())

const get = async () => (await admin.get(`/agents/${id}`)).body
const patch = (body: object) => admin.patch(`/agents/${id}`, body)
const pathsOf = ({ body }: Awaited<ReturnType<typeof patch>>) =>
  body['error'].details.map(({ path }: { path: string }) => path)
const inMinutes = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000).toISOString()
const events = () =>
  asOwner<{ data: { changes: object[] } }>(
    app.databaseUrl,
    "select data from events where workspace_id = $1 and name = 'member.availability_changed' order by id",
    [workspace.id],
  )

test('a new agent is not paused and has no shifts', async () => {
  expect(await get()).toMatchObject({
    id,
    name: 'Ada Reyes',
    role: 'agent',
    active: true,
    paused: false,
    paused_until: null,
    timezone: null,
    shifts: [],
    open_leads: 0,
    last_assigned_at: null,
  })
})

test('a timed pause ends on time, and until then the agent gets no leads', async () => {
  const until = inMinutes(60)
  expect((await patch({ paused: true, paused_until: until })).body).toMatchObject({
    paused: true,
    paused_until: until,
  })
  expect((await capture(admin))['assignee_id']).toBeNull()
  app.clock.advance(60 * 60_000 - 1)
  expect(await get()).toMatchObject({ paused: true, paused_until: until })
  app.clock.advance(1)
  expect(await get()).toMatchObject({ paused: false, paused_until: null })
  expect((await admin.get('/agents')).body['data']).toMatchObject([{ id, paused: false, paused_until: null }])
  expect((await capture(admin))['assignee_id']).toBe(id)
  expect(await get()).toMatchObject({ open_leads: 1, last_assigned_at: app.clock.now().toISOString() })
})

test('a new pause drops the end of the previous one, and an agent can be paused again', async () => {
  await patch({ paused: true, paused_until: inMinutes(60) })
  expect((await patch({ paused_until: inMinutes(90) })).body).toMatchObject({ paused_until: inMinutes(90) })
  expect((await patch({ paused: true })).body).toMatchObject({ paused: true, paused_until: null })
  await patch({ paused: true, paused_until: inMinutes(60) })
  app.clock.advance(61 * 60_000)
  expect((await patch({ timezone: 'America/Denver' })).body).toMatchObject({
    paused: false,
    paused_until: null,
  })
  expect((await patch({ paused: true })).body).toMatchObject({ paused: true, paused_until: null })
  expect(await get()).toMatchObject({ paused: true, paused_until: null, timezone: 'America/Denver' })
  expect((await patch({ paused: false })).body).toMatchObject({ paused: false, paused_until: null })
})

test('a pause end without a pause or in the past and invalid shifts return 400 with their paths', async () => {
  const before = await get()
  for (const [body, paths] of [
    [{ paused_until: inMinutes(1) }, ['paused_until']],
    [{ paused: false, paused_until: inMinutes(1) }, ['paused_until']],
    [{ paused: true, paused_until: inMinutes(0) }, ['paused_until']],
    [{ paused: true, paused_until: inMinutes(-1) }, ['paused_until']],
    [{ timezone: 'America/Chicgo' }, ['timezone']],
    [{ shifts: [{ days: ['mon'], from: '9:00', to: '17:00' }] }, ['shifts.0.from']],
    [{ shifts: [{ days: [], from: '09:00', to: '17:00' }] }, ['shifts.0.days']],
    [{ shifts: [{ from: '09:00', to: '17:00' }] }, ['shifts.0.days']],
    [{ open_leads: 3 }, ['open_leads']],
  ] as const) {
    const rejected = await patch(body)
    expect([rejected.status, pathsOf(rejected)], JSON.stringify(body)).toEqual([400, paths])
  }
  expect(await get()).toEqual(before)
  expect(await events()).toEqual([])
})

test('off-shift agents get no leads', async () => {
  // 15:00 UTC is 10:00 in New York.
  const shifts = [{ days: ['mon', 'tue'], from: '11:00', to: '12:00' }]
  app.clock.set('2026-03-02T15:00:00Z')
  const { body } = await patch({ shifts, timezone: 'America/New_York' })
  expect(body).toMatchObject({ shifts, timezone: 'America/New_York', paused: false })
  expect((await capture(admin))['assignee_id']).toBeNull()
  await patch({ shifts: [] })
  expect((await capture(admin))['assignee_id']).toBe(id)
})

test('concurrent patches of different fields of an agent are all kept', async () => {
  const shifts = [{ days: ['mon'], from: '09:00', to: '17:00' }]
  await Promise.all([patch({ shifts }), patch({ paused: true }), patch({ timezone: 'UTC' })])
  expect(await get()).toMatchObject({ shifts, paused: true, timezone: 'UTC' })
})

test.for(['before', 'after'])('leads do not change the ETag %s the first settings', async (when) => {
  const etag = async () => (await admin.get(`/agents/${id}`)).headers.get('etag') ?? ''
  if (when === 'after') await patch({ timezone: 'UTC' })
  const before = await etag()
  app.clock.advance(1000)
  await capture(admin)
  expect(await get()).toMatchObject({ open_leads: 1 })
  expect(await etag()).toBe(before)
  const paused = await admin.request('PATCH', `/agents/${id}`, {
    body: { paused: true },
    headers: { 'if-match': before },
  })
  expect(paused).toMatchObject({ status: 200, body: { paused: true, open_leads: 1 } })
  expect(await etag()).not.toBe(before)
})

test('open_leads and last_assigned_at are null without contacts:read:pii', async () => {
  const few = await workspace.credential('settings:manage')
  await capture(admin)
  const withheld = { id, open_leads: null, last_assigned_at: null }
  expect((await few.get('/agents')).body['data']).toMatchObject([withheld])
  expect((await few.get(`/agents/${id}`)).body).toMatchObject(withheld)
  for (const body of [{ paused: true }, {}])
    expect((await few.patch(`/agents/${id}`, body)).body).toMatchObject({ ...withheld, paused: true })
  expect(await get()).toMatchObject({ open_leads: 1, last_assigned_at: app.clock.now().toISOString() })
})

test('each change publishes one event with what changed, and a repeat publishes none', async () => {
  const paused_until = inMinutes(60)
  await patch({ paused: true, paused_until })
  await patch({ paused: true, paused_until })
  await patch({ timezone: 'UTC' })
  await patch({})
  expect((await events()).map(({ data }) => data)).toEqual([
    {
      id,
      changes: [
        { field: 'paused', from: false, to: true },
        { field: 'paused_until', from: null, to: paused_until },
      ],
    },
    { id, changes: [{ field: 'timezone', from: null, to: 'UTC' }] },
  ])
})

test('owners may pause an agent; agents see when they work themselves, and may not pause even themselves', async () => {
  const owner = await sessionClient(app, await personIn(workspace, 'owner'), workspace.id)
  expect((await owner.patch(`/agents/${id}`, { paused: true })).status).toBe(200)
  const person = await personIn(workspace, 'agent')
  const agent = await sessionClient(app, person, workspace.id)
  await patch({ shifts: [{ days: ['mon'], from: '09:00', to: '17:00' }] })
  await capture(admin)
  const withheld = { shifts: null, open_leads: null, last_assigned_at: null }
  expect((await agent.get(`/agents/${id}`)).body).toMatchObject({ id, ...withheld })
  expect((await agent.get(`/agents/${person.member.id}`)).body).toMatchObject({ shifts: [], open_leads: 0 })
  const listed = Object.fromEntries(
    (await agent.get('/agents')).body['data'].map((one: object) => [Object(one).id, one]),
  )
  expect(listed).toMatchObject({ [id]: withheld, [person.member.id]: { shifts: [], open_leads: 0 } })
  expect((await agent.patch(`/agents/${person.member.id}`, { paused: true })).status).toBe(403)
})

test('a deactivated member is shown as inactive', async () => {
  await setMemberActive(workspace.ctx, id, false)
  expect(await get()).toMatchObject({ active: false })
})
