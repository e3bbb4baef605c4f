import { expect, test } from 'vitest'
import { createContext } from '#kernel/context.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'
import { assignLead } from './assign-lead.ts'
import { claimLead } from './claim-lead.ts'

test('assigning or claiming an old lead does not take the contact from an owner out of reach', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const [lead, mate, owner] = [await workspace.member(), await workspace.member(), await workspace.member()]
  const agent = await workspace.credential()
  const captured = await agent.post('/leads', {
    phone: '+13125550123',
    source: 'Website',
    skip_routing: true,
  })
  const { id, contact_id } = captured.body
  await agent.post(`/leads/${id}/assign`, { assignee_id: lead.id })
  await agent.patch(`/contacts/${contact_id}`, { owner_id: owner.id })
  const limited = createContext(app.runtime, {
    workspaceId: workspace.id,
    actor: { type: 'member', id: lead.id, name: lead.name },
    scopes: workspace.ctx.scopes,
    reach: [lead.id, mate.id],
  })
  const ownerOf = async () => (await agent.get(`/contacts/${contact_id}`)).body['owner_id']

  expect((await assignLead(limited, id, mate.id)).lead.assignee_id).toBe(mate.id)
  expect(await ownerOf()).toBe(owner.id)

  await asOwner(
    app.databaseUrl,
    `update leads set assignee_id = null, status = 'new', waits_for = 'pond', offered_to = array[$2] where id = $1`,
    [id, lead.id],
  )
  expect((await claimLead(limited, id, lead.id)).assignee_id).toBe(lead.id)
  expect(await ownerOf()).toBe(owner.id)

  await agent.post(`/leads/${id}/assign`, { assignee_id: mate.id })
  expect(await ownerOf()).toBe(mate.id)
})

test('updated_at, ETag, and status events do not reveal routing without contacts:read:pii', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const { id: member } = await workspace.member()
  const clerk = await workspace.credential('leads:write', 'events:read')
  const { body: lead } = await clerk.post('/leads', { phone: '+13125550124', source: 'Website' })
  const read = async () => {
    const { body, headers } = await clerk.get(`/leads/${lead.id}`)
    return [body['updated_at'], headers.get('etag')]
  }
  const before = await read()
  app.clock.advance(60_000)
  await (await workspace.credential()).post(`/leads/${lead.id}/assign`, { assignee_id: member })
  expect(await read()).toEqual(before)
  const patched = await clerk.patch(`/leads/${lead.id}`, { status: 'contacted' })
  expect(patched.status).toBe(200)
  const events = (await clerk.get('/events?type=lead.status_changed')).body['data']
  expect(events).toEqual([])
})

test('an offered lead shows no personal data to a member it is offered to', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const member = await workspace.member()
  const agent = await workspace.credential()
  const { body: captured } = await agent.post('/leads', {
    phone: '+13125550125',
    email: 'ada@reyes.example',
    first_name: 'Ada',
    last_name: 'Reyes',
    source: 'Website',
    source_ref: 'Form 7',
    context: { text: 'Call +13125550125' },
    consent: { ip: '198.51.100.7' },
  })
  await asOwner(
    app.databaseUrl,
    `update leads set assignee_id = null, status = 'new', waits_for = 'pond', offered_to = array[$2] where id = $1`,
    [captured.id, member.id],
  )
  const offered = (await (await workspace.keyFor(member.id)).get(`/leads/${captured.id}`)).body
  const shown = ['contact_id', 'phone', 'email', 'first_name', 'last_name', 'source_ref', 'context']
  expect(shown.map((name) => offered[name])).toEqual(shown.map(() => null))
  expect(JSON.stringify(offered)).not.toMatch(/198\.51|Ada|Reyes|0125/)
})
