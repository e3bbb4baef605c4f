import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { assigneesOf, capture, crew } from '#test/support/leads.ts'
import { setRules } from '../routing/public.ts'
import { setMemberActive } from '../workspaces/public.ts'
import { endLeadOffer, routeWaitingLeads } from './jobs.ts'

const claimRule = (members: string[], fallback: object[]) => ({
  rules: [],
  default: { method: 'first_to_claim', pool: { members }, claim_seconds: 60, fallback },
})

test('exactly one of sixteen concurrent claims wins an offered lead', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const members = await crew(workspace, 16)
  const outsider = (await workspace.member()).id
  await setRules(workspace.ctx, claimRule(members, [{ method: 'round_robin' }]))
  const lead = await capture(agent)
  expect(lead).toMatchObject({
    status: 'new',
    assignee_id: null,
    waits_for: 'claim',
    offered_to: members.toSorted(),
    offered_until: '2026-03-02T15:01:00.000Z',
  })
  const [offer] = (await agent.get('/events?type=lead.offered')).body.data
  expect(offer.data).toMatchObject({ id: lead.id, offered_to: members.toSorted() })
  const claim = async (member_id: string) => agent.post(`/leads/${lead.id}/claim`, { member_id })
  expect((await claim(outsider)).body.error.code).toBe('lead_not_offered')
  const claims = await Promise.all(members.map(claim))
  expect(claims.map(({ status }) => status).toSorted()).toEqual([200, ...Array(15).fill(409)])
  const body = claims.find(({ status }) => status === 200)?.body ?? {}
  expect(body).toMatchObject({
    status: 'claimed',
    waits_for: null,
    offered_to: [],
    routing: { method: 'claim' },
  })
  expect((await claim(body.assignee_id)).status).toBe(200)
  expect((await agent.get('/events?type=lead.assigned')).body.data).toHaveLength(1)
  expect((await agent.get(`/contacts/${lead.contact_id}`)).body.owner_id).toBe(body.assignee_id)
})

test('an offer that expires goes to the fallback, once', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const members = await crew(workspace, 3)
  const manager = (await workspace.member()).id
  await setRules(workspace.ctx, claimRule(members, [{ member_id: manager }]))
  const [lead, claimed] = [await capture(agent), await capture(agent)]
  await agent.post(`/leads/${claimed.id}/claim`, { member_id: members[0] })
  app.clock.advance(60_000)
  expect((await agent.post(`/leads/${lead.id}/claim`, { member_id: members[0] })).body.error.code).toBe(
    'lead_not_offered',
  )
  for (const { id, routing } of [lead, lead, claimed]) {
    await endLeadOffer.handle(workspace.ctx, { lead_id: id, decision_id: routing.decision_id })
  }
  expect(await assigneesOf(agent, [lead.id, claimed.id])).toEqual([manager, members[0]])
  const decisions = (await agent.get(`/leads/${lead.id}/routing`)).body.data
  expect(decisions.map((row: { outcome: string }) => row.outcome)).toEqual(['assigned', 'offered'])
})

test('the worker ends expired offers and routes waiting leads on its own', async () => {
  const databaseUrl = await freshDatabase('routing_timers')
  await using app = await testApp({ databaseUrl, role: 'all' })
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const members = await crew(workspace, 2)
  const manager = (await workspace.member()).id
  await setRules(workspace.ctx, claimRule(members, [{ member_id: manager }]))
  const offered = await capture(agent)
  await setMemberActive(workspace.ctx, manager, false)
  for (const id of members) await setMemberActive(workspace.ctx, id, false)
  const waiting = await capture(agent)
  expect(waiting.waits_for).toBe('agent')
  await setMemberActive(workspace.ctx, manager, true)
  app.clock.advance(60_000)
  await asOwner(databaseUrl, `update graphile_worker._private_jobs set run_at = now() - interval '1 second'`)
  await eventually(async () =>
    expect(await assigneesOf(agent, [offered.id, waiting.id])).toEqual([manager, manager]),
  )
})

test('a lead in a pond goes to the first pool member who claims it, at any time', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const members = await crew(workspace, 2)
  await setRules(workspace.ctx, { rules: [], default: { method: 'pond', pool: { members } } })
  const lead = await capture(agent)
  expect(lead).toMatchObject({ waits_for: 'pond', offered_to: members.toSorted(), offered_until: null })
  // Routing the lead again has the same result, and publishes no second event.
  const again = await agent.post(`/leads/${lead.id}/assign`)
  expect(again.body).toMatchObject({ changed: false, waits_for: 'pond' })
  expect((await agent.get('/events?type=lead.offered')).body.data).toHaveLength(1)
  app.clock.advance(30 * 86_400_000)
  const fresh = await workspace.credential()
  expect((await fresh.post(`/leads/${lead.id}/claim`, { member_id: members[1] })).body.assignee_id).toBe(
    members[1],
  )
})

test('a member who joins the pool later can claim a lead from the pond', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  await crew(workspace, 1)
  await setRules(workspace.ctx, { rules: [], default: { method: 'pond', pool: { role: 'agent' } } })
  const lead = await capture(agent)
  const newcomer = (await workspace.member()).id
  const claimed = await agent.post(`/leads/${lead.id}/claim`, { member_id: newcomer })
  expect(claimed.body).toMatchObject({ assignee_id: newcomer, status: 'claimed' })
})

test('an unclaimed lead waits for an unavailable fallback and is not offered again', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const members = await crew(workspace, 2)
  const manager = (await workspace.member()).id
  await setMemberActive(workspace.ctx, manager, false)
  const rules = claimRule(members, [{ member_id: manager }])
  await setRules(workspace.ctx, rules)
  const lead = await capture(agent)
  app.clock.advance(60_000)
  await endLeadOffer.handle(workspace.ctx, { lead_id: lead.id, decision_id: lead.routing.decision_id })
  for (let i = 0; i < 5; i++) {
    app.clock.advance(180_000)
    await routeWaitingLeads.handle(workspace.ctx, {})
  }
  expect((await agent.get(`/leads/${lead.id}`)).body).toMatchObject({ waits_for: 'agent', assignee_id: null })
  expect((await agent.get('/events?type=lead.offered')).body.data).toHaveLength(1)
  expect((await agent.get(`/leads/${lead.id}/routing`)).body.data).toHaveLength(2)
  await setMemberActive(workspace.ctx, manager, true)
  app.clock.advance(180_000)
  await routeWaitingLeads.handle(workspace.ctx, {})
  expect(await assigneesOf(agent, [lead.id])).toEqual([manager])
})
