import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'

const source = 'Website'
const [phone, email] = ['+13125550123', 'ada@reyes.example']
const source_url = 'https://www.example.com'

test('a revocation applies to all leads of the person and to every earlier consent', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const at = (minutes: number) => new Date(app.clock.now().getTime() + minutes * 60_000).toISOString()
  const send = async (lead: object, captured_at = at(-1)) =>
    (await agent.post('/leads', { source, phone, ...lead, consent: { captured_at, source_url } })).body
  const first = await send({ email })
  const second = await send({})
  const byEmail = await send({ phone: '+13125550199', email })
  const unrelated = await send({ phone: '+13125550177', email: 'theo@reyes.example' })
  app.clock.advance(60_000)
  const revoked_at = app.clock.now().toISOString()
  await agent.delete(`/leads/${first.id}/consent`)

  for (const { id } of [first, second, byEmail]) {
    expect((await agent.get(`/leads/${id}`)).body).toMatchObject({
      consent: { revoked_at, sufficient: false },
      ai_outbound_allowed: false,
      ai_outbound_blockers: ['consent_revoked'],
    })
  }
  expect((await agent.get(`/leads/${unrelated.id}`)).body.ai_outbound_allowed).toBe(true)

  app.clock.advance(60_000)
  expect((await send({}, at(-5))).ai_outbound_blockers).toEqual(['consent_revoked'])
  // A capture time after its arrival proves nothing.
  const again = await send({})
  expect(again.ai_outbound_blockers).toEqual(['consent_revoked'])
  const later = await send({}, at(0))
  expect(later).toMatchObject({ consent: { revoked_at: null }, ai_outbound_allowed: true })
  expect((await agent.get(`/leads/${second.id}`)).body.ai_outbound_allowed).toBe(false)

  app.clock.advance(60_000)
  await agent.delete(`/leads/${first.id}/consent`)
  expect((await agent.get(`/leads/${later.id}`)).body.ai_outbound_blockers).toEqual(['consent_revoked'])
})

test('a revocation survives the erasure of the contact, and a later consent still counts', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const consent = { captured_at: app.clock.now().toISOString(), source_url }
  const lead = { source, phone, email, consent }
  const { id, contact_id } = (await agent.post('/leads', lead)).body
  app.clock.advance(60_000)
  await agent.delete(`/leads/${id}/consent`)
  app.clock.advance(60_000)
  const given = { captured_at: app.clock.now().toISOString(), source_url }
  app.clock.advance(60_000)
  await agent.delete(`/contacts/${contact_id}`)
  expect((await agent.post('/leads', lead)).body.ai_outbound_blockers).toEqual(['consent_revoked'])
  expect((await agent.post('/leads', { ...lead, consent: given })).body.ai_outbound_allowed).toBe(true)
})
