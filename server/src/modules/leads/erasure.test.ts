import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import { columnsNotErased, tablesWith } from '#test/support/whereabouts.ts'
import { setRules } from '../routing/public.ts'

const secret = 'Xanadu'

test('an erasure removes all personal data from the contact’s leads, consents, and routing decisions', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('erased_leads') })
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const few = await workspace.credential('leads:write')
  const member = await workspace.member()
  await agent.post('/webhooks', { url: 'https://hooks.example.com' })
  await setRules(workspace.ctx, {
    rules: [
      {
        name: 'By name',
        conditions: { field: 'context.name', operator: 'eq', value: 'no-such-member' },
        method: 'direct',
        pool: { members: [member.id] },
      },
    ],
  })
  const draft = {
    phone: '+13126840917',
    source: `${secret} source`,
    first_name: `${secret} first`,
    last_name: `${secret} last`,
    email: `${secret}@mail.example`,
    source_ref: `${secret} ref`,
    context: { name: `${secret} name`, city: `${secret} city` },
    consent: {
      captured_at: `${secret} time`,
      source_url: `https://example.com/${secret}`,
      ip: `${secret} ip`,
      form_snapshot: { [`${secret} field`]: `${secret} value` },
    },
  }
  const first = (await agent.post('/leads', draft, { 'idempotency-key': 'one' })).body
  const second = (await few.post('/leads', draft, { 'idempotency-key': 'two' })).body
  await agent.post(`/leads/${first.id}/assign`, { assignee_id: member.id }, { 'idempotency-key': 'three' })
  const [why] = (await agent.get(`/leads/${second.id}/routing`)).body.data
  expect(why.considered[0].failing_conditions[0].actual).toBe(`${secret} name`)
  expect(await tablesWith(app.databaseUrl, [secret, '6840917'])).toEqual([
    'contact_points',
    'contacts',
    'events',
    'idempotency_replies',
    'lead_consents',
    'leads',
    'routing_decisions',
    'webhook_payloads',
  ])

  app.clock.advance(5000)
  await agent.delete(`/contacts/${first.contact_id}`)
  const lowered = secret.toLowerCase()
  expect(
    await tablesWith(app.databaseUrl, [secret, lowered, '6840917', '******0917', '13126840917']),
  ).toEqual([])
  expect(await columnsNotErased(app.databaseUrl)).toEqual([])
  for (const { id } of [first, second]) {
    expect((await agent.get(`/leads/${id}`)).body).toMatchObject({
      contact_id: null,
      status: 'disqualified',
      source: null,
      phone: null,
      email: null,
      context: null,
      consent: { captured_at: null, source_url: null, ip: null, form_snapshot: null, form_sha256: null },
      ai_outbound_allowed: false,
      erased_at: app.clock.now().toISOString(),
    })
    const decisions = (await agent.get(`/leads/${id}/routing`)).body.data
    expect(decisions.length).toBeGreaterThan(0)
    for (const { considered } of decisions) expect(considered).toEqual([])
  }
  expect((await few.post('/leads', draft, { 'idempotency-key': 'two' })).status).toBe(409)
  for (const [method, path, body] of [
    ['PATCH', '', { status: 'contacted' }],
    ['POST', '/assign', {}],
    ['POST', '/claim', { member_id: member.id }],
    ['DELETE', '/consent', undefined],
  ] as const) {
    const response = await agent.request(method, `/leads/${first.id}${path}`, { body })
    expect([response.status, response.body.error.code]).toEqual([409, 'lead_erased'])
  }
})
