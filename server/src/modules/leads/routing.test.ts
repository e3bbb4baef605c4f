import { expect, test } from 'vitest'
import { type TestApp, testApp } from '#test/support/app.ts'
import { type Client, createClient } from '#test/support/client.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { assigneesOf, capture, crew } from '#test/support/leads.ts'
import { setAvailability, setRules } from '../routing/public.ts'
import { setMemberActive } from '../workspaces/public.ts'
import { routeWaitingLeads } from './jobs.ts'

/** The number of leads per assignee. */
const shares = (leads: { assignee_id: string }[]) =>
  Object.fromEntries(
    [...Map.groupBy(leads, ({ assignee_id }) => assignee_id)].map(([id, { length }]) => [id, length]),
  )

/** Captures leads, sixteen at a time. */
async function captureMany(agent: Client, count: number) {
  const leads = []
  for (let i = 0; i < count; i += 16) {
    const some = Array.from({ length: Math.min(16, count - i) }, () => capture(agent))
    leads.push(...(await Promise.all(some)))
  }
  return leads as { id: string; assignee_id: string }[]
}

test('round robin is exactly fair with sixteen concurrent leads and across a restart', async () => {
  const databaseUrl = await freshDatabase('routing_fair')
  let members: string[] = []
  let key = ''
  const leads: { assignee_id: string }[] = []
  {
    await using app = await testApp({ databaseUrl })
    const workspace = await app.workspace()
    members = await crew(workspace, 5)
    const agent = await workspace.credential()
    key = agent.key ?? ''
    leads.push(...(await captureMany(agent, 48)))
  }
  await using app = await testApp({ databaseUrl })
  leads.push(...(await captureMany(createClient(app.base, { key }), 49)))
  const counts = Object.values(shares(leads))
  expect(Object.keys(shares(leads)).toSorted()).toEqual(members.toSorted())
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
})

test('weighted shares are exact to within one lead with sixteen concurrent leads', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const [a = '', b = '', c = ''] = await crew(workspace, 3)
  await setRules(workspace.ctx, {
    rules: [],
    default: { method: 'weighted', pool: { everyone: true }, weights: { [a]: 5, [b]: 3, [c]: 0 } },
  })
  const {
    [a]: ofA = 0,
    [b]: ofB = 0,
    ...others
  } = shares(await captureMany(await workspace.credential(), 80))
  expect(others).toEqual({})
  expect(Math.abs(ofA - 50)).toBeLessThan(1)
  expect(Math.abs(ofB - 30)).toBeLessThan(1)
})

test('inactive, paused, and off-shift agents get no leads, and rejoin without a flood', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [a = '', b = '', c = '', d = ''] = await crew(workspace, 4)
  await setMemberActive(workspace.ctx, a, false)
  await setAvailability(workspace.ctx, b, { paused: true, paused_until: '2026-03-02T16:00:00.000Z' })
  // 15:00 UTC is 10:00 in New York.
  await setAvailability(workspace.ctx, c, {
    shifts: [{ days: ['mon'], from: '11:00', to: '12:00' }],
    timezone: 'America/New_York',
  })
  expect(shares(await captureMany(agent, 5))).toEqual({ [d]: 5 })
  app.clock.advance(61 * 60_000)
  const back = shares(await captureMany(agent, 9))
  expect(back).toEqual({ [b]: 3, [c]: 3, [d]: 3 })
  await setMemberActive(workspace.ctx, a, true)
  expect(shares(await captureMany(agent, 8))).toEqual({ [a]: 2, [b]: 2, [c]: 2, [d]: 2 })
})

test('caps hold under sixteen concurrent leads, and leads over the cap wait, oldest first', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [a = ''] = await crew(workspace, 2)
  await setRules(workspace.ctx, {
    rules: [],
    default: { method: 'round_robin', pool: { everyone: true }, caps: { open: 3, per_hour: 3 } },
  })
  const leads = await captureMany(agent, 16)
  expect(Object.values(shares(leads)).toSorted()).toEqual([10, 3, 3])
  const waiting = leads
    .filter(({ assignee_id }) => assignee_id === null)
    .map(({ id }) => id)
    .toSorted()
  const events = (await agent.get('/events?type=lead.waiting&limit=200')).body.data
  expect(events).toHaveLength(10)
  expect(
    (await agent.get(`/leads/${waiting[0]}/routing`)).body.data[0].candidates[0].excluded_reasons,
  ).toContain('cap_open')

  app.clock.advance(30_000)
  await routeWaitingLeads.handle(workspace.ctx, {})
  expect(await assigneesOf(agent, waiting)).toEqual(Array(10).fill(null))
  // An hour later, with one of a's leads closed, a has room for one more.
  const done = leads.find(({ assignee_id }) => assignee_id === a)
  await agent.patch(`/leads/${done?.id}`, { status: 'disqualified' })
  app.clock.advance(61 * 60_000)
  await routeWaitingLeads.handle(workspace.ctx, {})
  expect(await assigneesOf(agent, waiting)).toEqual([a, ...Array(9).fill(null)])
  // A failed try is not recorded.
  expect((await agent.get(`/leads/${waiting[1]}/routing`)).body.data).toHaveLength(1)
})

test('outside its hours a rule is skipped, or holds its leads until they begin', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [day = '', night = ''] = await crew(workspace, 2)
  const rule = (outside: string) => ({
    timezone: 'America/Chicago',
    rules: [
      {
        name: 'Office hours',
        method: 'direct',
        pool: { members: [day] },
        schedule: { days: ['mon', 'tue'], from: '09:30', to: '17:00', timezone: 'America/Chicago', outside },
      },
    ],
    default: { method: 'direct', pool: { members: [night] } },
  })
  // 09:00 in Chicago.
  await setRules(workspace.ctx, rule('skip'))
  expect((await capture(agent)).assignee_id).toBe(night)
  await setRules(workspace.ctx, rule('hold'))
  const held = await capture(agent)
  expect(held).toMatchObject({ assignee_id: null, waits_for: 'hours' })
  const [decision] = (await agent.get(`/leads/${held.id}/routing`)).body.data
  expect(decision).toMatchObject({ outcome: 'held', until: '2026-03-02T15:30:00.000Z' })
  app.clock.advance(30 * 60_000)
  await routeWaitingLeads.handle(workspace.ctx, {})
  expect(await assigneesOf(agent, [held.id])).toEqual([day])
})

test.each([
  { zip: 60201, state: 'IL' },
  { zip_code: '60201', State: 'illinois' },
  { address: { postal_code: ' 60201', state: 'Ill' }, state: 'Illinois' },
])('rules find the ZIP code and the state in the context %j', async (context) => {
  await using app = await testApp()
  const { ctx, ...workspace } = await app.workspace()
  const agent = await workspace.credential()
  const [near = '', far = ''] = [(await workspace.member()).id, (await workspace.member()).id]
  const conditions = {
    all: [
      { field: 'zip', operator: 'eq', value: '60201' },
      { field: 'state', operator: 'eq', value: 'IL' },
    ],
  }
  await setRules(ctx, {
    rules: [{ name: 'Evanston', conditions, method: 'direct', pool: { members: [near] } }],
    default: { method: 'direct', pool: { members: [far] } },
  })
  const assigneeOf = async (lead: object) =>
    (await agent.post('/leads', { phone: '+12125550123', source: 'Website', ...lead })).body.assignee_id
  expect(await assigneeOf({ context })).toBe(near)
  expect(await assigneeOf({ phone: '+12125550124' })).toBe(far)
})

test('the owner of a contact gets its next lead if available', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const members = await crew(workspace, 3)
  const person = { phone: '+13125550123', source: 'Website' }
  const first = (await agent.post('/leads', person)).body
  await captureMany(agent, 4)
  expect((await agent.post('/leads', person)).body.assignee_id).toBe(first.assignee_id)
  await setMemberActive(workspace.ctx, first.assignee_id, false)
  expect(members).toContain(first.assignee_id)
  expect((await agent.post('/leads', person)).body.assignee_id).not.toBe(first.assignee_id)
})

test('the open-lead count of every agent matches the open leads in the database', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('routing_count') })
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [a = '', b = ''] = await crew(workspace, 3)
  const leads = await captureMany(agent, 24)
  const act = async ({ id }: { id: string }, i: number) => {
    if (i % 6 === 0) await agent.patch(`/leads/${id}`, { status: 'converted' })
    if (i % 6 === 1) await agent.post(`/leads/${id}/assign`, { assignee_id: a })
    if (i % 6 === 2) await agent.delete(`/contacts/${(await agent.get(`/leads/${id}`)).body.contact_id}`)
    if (i % 6 === 3) await agent.post(`/leads/${id}/assign`, { assignee_id: b })
    if (i % 12 === 0) await agent.patch(`/leads/${id}`, { status: 'contacted' })
    if (i % 6 === 4) await agent.patch(`/leads/${id}`, { status: 'disqualified' })
  }
  await Promise.all(leads.map(act))
  const differing = await asOwner(
    app.databaseUrl,
    `select a.member_id, a.open_leads, count(l.id) from routing_agents a left join leads l
       on l.assignee_id = a.member_id and l.status not in ('converted', 'disqualified')
     group by 1, 2 having count(l.id) <> a.open_leads`,
  )
  expect(differing).toEqual([])
})

test('concurrent changes to a lead and its contact do not deadlock', async () => {
  await using app: TestApp = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await crew(workspace, 3)
  const leads = await captureMany(agent, 8)
  const contact = async (id: string) => (await agent.get(`/leads/${id}`)).body.contact_id as string | null
  const ids = await Promise.all(leads.map(({ id }) => contact(id)))
  const responses = await Promise.all(
    leads.flatMap(({ id }, i) => [
      agent.post(`/leads/${id}/assign`),
      agent.patch(`/contacts/${ids[i]}`, { stage: i % 2 === 0 ? 'TRASH' : 'ACTIVE_CLIENT' }),
      agent.post(`/leads/${id}/assign`),
      agent.delete(`/contacts/${ids[i]}`),
      agent.patch(`/leads/${id}`, { status: 'contacted' }),
    ]),
  )
  expect(responses.filter(({ status }) => status >= 500)).toEqual([])
})

test('an agent who is paused again after a timed pause gets no leads', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [a = '', b = ''] = await crew(workspace, 2)
  await setAvailability(workspace.ctx, a, { paused: true, paused_until: '2026-03-02T15:01:00.000Z' })
  app.clock.advance(120_000)
  await setAvailability(workspace.ctx, a, { paused: true })
  expect(shares(await captureMany(agent, 4))).toEqual({ [b]: 4 })
})

test('a contacted lead stays contacted when it is reassigned', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const waiting = await capture(agent)
  await agent.patch(`/leads/${waiting.id}`, { status: 'contacted' })
  const member = await workspace.member()
  app.clock.advance(30_000)
  await routeWaitingLeads.handle(workspace.ctx, {})
  expect((await agent.get(`/leads/${waiting.id}`)).body).toMatchObject({
    assignee_id: member.id,
    status: 'contacted',
  })
})
