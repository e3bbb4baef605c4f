import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, fingerprint } from '#test/support/database.ts'
import { setRules } from '../routing/public.ts'
import { setMemberActive } from '../workspaces/public.ts'

const draft = { phone: '+13125550123', source: 'Website' }

test('assigning a lead gives the lead and its contact to the member, and is published and recorded', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [one, other] = [await workspace.member(), await workspace.member()]
  const lead = (await agent.post('/leads', { ...draft, skip_routing: true })).body
  const { status, body } = await agent.post(`/leads/${lead.id}/assign`, { assignee_id: one.id })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    lead_id: lead.id,
    changed: true,
    status: 'assigned',
    assignee_id: one.id,
    decision: { method: 'manual', matched_rule: null, assignee_id: one.id, previous_assignee_id: null },
  })
  expect((await agent.get(`/contacts/${lead.contact_id}`)).body.owner_id).toBe(one.id)
  await agent.post(`/leads/${lead.id}/assign`, { assignee_id: other.id })
  expect((await agent.get(`/contacts/${lead.contact_id}`)).body.owner_id).toBe(other.id)
  const events = (await agent.get('/events?type=lead.assigned')).body.data
  expect(events.map(({ data }: { data: object }) => data)).toMatchObject([
    { assignee_id: other.id, previous_assignee_id: one.id },
    { assignee_id: one.id, previous_assignee_id: null, routing: { method: 'manual', rule_id: null } },
  ])
  const decisions = (await agent.get(`/leads/${lead.id}/routing`)).body.data
  expect(decisions.map((row: { assignee_id: string }) => row.assignee_id)).toEqual([other.id, one.id])
  const titles = (await agent.get(`/contacts/${lead.contact_id}/events`)).body.data.map(
    (entry: { title: string }) => entry.title,
  )
  expect(titles).toEqual([
    'Lead reassigned',
    'Contact updated',
    'Lead assigned',
    'Contact updated',
    'Lead captured',
    'Contact created',
  ])
})

test('assigning a lead to its current assignee changes nothing and notifies no one', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const member = await workspace.member()
  const lead = (await agent.post('/leads', draft)).body
  expect(lead.assignee_id).toBe(member.id)
  const before = await fingerprint(app.databaseUrl)
  app.clock.advance(1000)
  for (const body of [{ assignee_id: member.id }, {}]) {
    const response = await agent.post(`/leads/${lead.id}/assign`, body)
    expect(response.body).toMatchObject({ changed: false, assignee_id: member.id, decision: null })
    expect(response.body.reason).toMatch(/already/)
  }
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
})

test('rejects unknown and inactive assignees, and assignment of closed and erased leads', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [member, left] = [await workspace.member(), await workspace.member()]
  await setMemberActive(workspace.ctx, left.id, false)
  const outsider = await (await app.workspace()).member()
  const lead = (await agent.post('/leads', draft)).body
  const assign = async (assignee_id: string) => {
    const { status, body } = await agent.post(`/leads/${lead.id}/assign`, { assignee_id })
    return [status, body.error?.code]
  }
  expect(await assign(outsider.id)).toEqual([404, 'not_found'])
  expect(await assign('no-such-member')).toEqual([404, 'not_found'])
  expect(await assign(left.id)).toEqual([409, 'member_inactive'])
  await agent.patch(`/leads/${lead.id}`, { status: 'converted' })
  const another = await workspace.member()
  expect(await assign(another.id)).toEqual([409, 'lead_closed'])
  await agent.delete(`/contacts/${lead.contact_id}`)
  expect(await assign(another.id)).toEqual([409, 'lead_erased'])
  expect((await agent.get(`/leads/${lead.id}`)).body.assignee_id).toBe(member.id)
})

test('the rules route a captured lead and record why', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const [one, other] = [await workspace.member(), await workspace.member()]
  await setRules(workspace.ctx, {
    rules: [
      {
        name: 'Luxury',
        conditions: { all: [{ field: 'price', operator: 'gte', value: 1_000_000 }] },
        method: 'direct',
        pool: { members: [one.id] },
        on_match: { tags: ['luxury'] },
      },
      {
        name: 'Website',
        conditions: { field: 'source', operator: 'eq', value: 'website' },
        method: 'direct',
        pool: { members: [other.id] },
      },
    ],
  })
  const plain = (await agent.post('/leads', { ...draft, context: { price: 450000 } })).body
  expect(plain).toMatchObject({ assignee_id: other.id, status: 'assigned', routing: { method: 'direct' } })
  const [decision] = (await agent.get(`/leads/${plain.id}/routing`)).body.data
  expect(decision).toMatchObject({
    dry_run: false,
    matched_rule: { name: 'Website', version: 1 },
    considered: [
      {
        name: 'Luxury',
        matched: false,
        failing_conditions: [{ field: 'price', operator: 'gte', expected: 1_000_000, actual: 450_000 }],
      },
      { name: 'Website', matched: true, failing_conditions: [] },
    ],
    candidates: [{ member_id: other.id, eligible: true }],
  })
  const grand = (
    await agent.post('/leads', { ...draft, phone: '+13125550199', context: { price: '$2,000,000' } })
  ).body
  expect(grand.assignee_id).toBe(one.id)
  expect((await agent.get(`/contacts/${grand.contact_id}`)).body).toMatchObject({
    owner_id: one.id,
    tags: ['luxury'],
  })
})

test('a preview changes nothing and predicts the assignee of the next lead', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const reader = await workspace.credential('leads:read')
  const members = [await workspace.member(), await workspace.member(), await workspace.member()]
  await agent.post('/leads', draft)
  const before = await fingerprint(app.databaseUrl)
  const preview = await reader.post('/leads/routing-preview', { source: 'Website' })
  expect(preview.status).toBe(200)
  expect(preview.body).toMatchObject({
    dry_run: true,
    decision_id: null,
    outcome: 'assigned',
    method: 'round_robin',
    assignee_id: members[1]?.id,
    cursor: { advanced: false },
  })
  expect(preview.body.reason).toMatch(/live pick may differ/)
  expect(preview.body.candidates).toHaveLength(3)
  expect(await fingerprint(app.databaseUrl)).toEqual(before)
  const live = (await agent.post('/leads', { ...draft, phone: '+13125550199' })).body
  expect(live.assignee_id).toBe(preview.body.assignee_id)
})

test('ACTIVE_CLIENT converts the leads of a contact, and TRASH disqualifies them', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const member = await workspace.member()
  const open = async () => {
    const [row] = await asOwner(
      app.databaseUrl,
      `select open_leads from routing_agents where member_id = '${member.id}'`,
    )
    return row?.['open_leads']
  }
  const [buyer, spam] = [
    (await agent.post('/leads', draft)).body,
    (await agent.post('/leads', { ...draft, phone: '+13125550199' })).body,
  ]
  expect(await open()).toBe(2)
  await agent.patch(`/contacts/${buyer.contact_id}`, { stage: 'ACTIVE_CLIENT' })
  await agent.patch(`/contacts/${spam.contact_id}`, { stage: 'TRASH' })
  expect((await agent.get(`/leads/${buyer.id}`)).body.status).toBe('converted')
  expect((await agent.get(`/leads/${spam.id}`)).body.status).toBe('disqualified')
  expect(await open()).toBe(0)
  await agent.patch(`/leads/${buyer.id}`, { status: 'contacted' })
  expect(await open()).toBe(1)
  await agent.patch(`/leads/${buyer.id}`, { status: 'converted' })
  expect(await open()).toBe(0)
})

test('a preview uses the same facts as a capture of an unknown person', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const member = await workspace.member()
  const conditions = {
    all: [
      { field: 'stage', operator: 'eq', value: 'LEAD' },
      { field: 'has_phone', operator: 'eq', value: true },
      { field: 'has_email', operator: 'eq', value: false },
      { field: 'consent_status', operator: 'eq', value: 'none' },
    ],
  }
  await setRules(workspace.ctx, {
    rules: [{ name: 'New people', conditions, method: 'direct', pool: { members: [member.id] } }],
  })
  const preview = (await agent.post('/leads/routing-preview', { source: 'Website' })).body
  expect(preview.matched_rule.name).toBe('New people')
  const lead = (await agent.post('/leads', draft)).body
  expect(lead.routing.rule_id).toBe(preview.matched_rule.id)
})

test('the contact’s facts behind a routing decision require contacts:read:pii', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const few = await workspace.credential('leads:write')
  await agent.post('/contacts', { phone: draft.phone, stage: 'NURTURE', tags: ['divorce'] })
  const asked = ['stage', 'tags'].map((field) => ({
    name: `Asks for ${field}`,
    conditions: {
      all: [
        field === 'tags'
          ? { field, operator: 'has_any', value: ['buyer'] }
          : { field, operator: 'eq', value: 'LEAD' },
      ],
    },
    method: 'round_robin',
    pool: { everyone: true },
  }))
  await setRules(workspace.ctx, { rules: asked })
  const { id } = (await few.post('/leads', draft)).body
  const actuals = async (client: typeof agent) =>
    (await client.get(`/leads/${id}/routing`)).body.data[0].considered.map(
      (rule: { failing_conditions: { actual: unknown }[] }) => rule.failing_conditions[0]?.actual,
    )
  expect(await actuals(agent)).toEqual(['NURTURE', ['divorce']])
  const other = await workspace.credential('leads:read', 'contacts:read')
  expect(await actuals(other)).toEqual([null, null])
  expect((await few.get(`/leads/${id}/routing`)).status).toBe(403)
})
