import { beforeAll, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import {
  app,
  emailing,
  enabled,
  enrolled,
  openAutomations,
  tagStep,
  tick,
  waitStep,
} from '#test/scenes/automations.ts'
import type { Client } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'
import { type Texting, startTexting } from '#test/support/texting.ts'

openAutomations()

let agent: Client
beforeAll(() => {
  agent = emailing.agent
})

let texting: Texting
beforeAll(async () => {
  texting = await startTexting(app)
})

const is = (field: string, value: unknown) => ({ field, operator: 'eq', value })

/** Returns which of these conditions hold for a contact. Tests each with a branch. */
async function holding(of: Client, contactId: string, conditions: Record<string, object>): Promise<string[]> {
  const steps = Object.entries(conditions).map(([key, condition]) => ({
    key: `b_${key}`,
    type: 'branch',
    branches: [{ conditions: condition, steps: [tagStep(key)] }],
  }))
  const id = idOf(await of.post('/automations', { name: 'Facts', definition: { steps } }))
  await of.post(`/automations/${id}/publish`)
  await of.post(`/automations/${id}/enable`)
  const enrollment = idOf(await of.post(`/automations/${id}/enroll`, { contact_id: contactId }))
  await tick()
  const { body } = await of.get(`/enrollments/${enrollment}`)
  expect(body).toMatchObject({ status: 'completed' })
  return (body['steps'] as { step_key: string; type: string }[])
    .filter(({ type }) => type === 'tag')
    .map(({ step_key }) => step_key)
}

const enrollmentsOf = async (contact: string, of: Client = agent) =>
  (await of.get(`/contacts/${contact}/enrollments`)).body['data'] as Record<string, unknown>[]

test('conditions read the newest lead of the contact, its newest open deal, and its next appointment', async () => {
  const lead = (price: number) =>
    agent.post('/leads', {
      phone: '+13125550107',
      source: 'Website',
      context: { price, beds: { min: 3 } },
      skip_routing: true,
    })
  await lead(100_000)
  const contact = (await lead(450_000)).body['contact_id'] as string
  await agent.post('/deals', { contact_ids: [contact], price: 300_000 })
  await agent.post('/deals', { contact_ids: [contact], price: 999_000, status: 'won' })
  const { id: host } = await emailing.workspace.member()
  for (const [type, hours] of [
    ['closing', 50],
    ['showing', 30],
  ] as const)
    await agent.post('/appointments', {
      type,
      contact_id: contact,
      host_id: host,
      starts_at: new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString(),
      ends_at: new Date(app.clock.now().getTime() + (hours + 1) * 3_600_000).toISOString(),
    })
  expect(
    await holding(agent, contact, {
      price: { field: 'lead.price', operator: 'gte', value: 400_000 },
      beds: is('lead.context.beds.min', 3),
      status: is('lead.status', 'new'),
      none: is('lead.consent_status', 'none'),
      old: is('lead.price', 100_000),
      open: is('deal.status', 'open'),
      deal_price: is('deal.price', 300_000),
      showing: is('appointment.type', 'showing'),
      soon: { field: 'appointment.hours_until', operator: 'between', value: [29, 30] },
      closing: is('appointment.type', 'closing'),
    }),
  ).toEqual(['price', 'beds', 'status', 'none', 'open', 'deal_price', 'showing', 'soon'])
  const { contact: other } = await enrolled(await enabled({ steps: [tagStep('x')] }))
  expect(
    await holding(agent, other, {
      lead: { field: 'lead.status', operator: 'exists' },
      deal: { field: 'deal.status', operator: 'exists' },
      no_appointment: { field: 'appointment.type', operator: 'not_exists' },
    }),
  ).toEqual(['no_appointment'])
})

test('conditions of a trigger read the deal of its event, not a newer open one', async () => {
  const automation = await enabled({
    triggers: [{ event: 'deal.created', conditions: is('deal.price', 200_000) }],
    steps: [tagStep('entered')],
  })
  const contact = idOf(await agent.post('/contacts', { first_name: 'Ada' }))
  await agent.post('/deals', { contact_ids: [contact], price: 200_000, status: 'lost' })
  await agent.post('/deals', { contact_ids: [contact], price: 700_000 })
  await tick()
  expect(await enrollmentsOf(contact)).toMatchObject([{ automation_id: automation, source: 'trigger' }])
})

test('conditions read consent, opt-outs, and days since the last inbound and outbound message', async () => {
  const { agent: of } = texting
  const contact = await texting.lead('+13125550133')
  const facts = {
    written: is('consent.sms', 'express_written'),
    no_email: is('consent.email', 'none'),
    never: { field: 'days_since.inbound', operator: 'not_exists' },
    out: is('opted_out.sms', true),
    in: is('opted_out.sms', false),
    days: { field: 'days_since.inbound', operator: 'gte', value: 3 },
    sent: is('days_since.outbound', 0),
  }
  expect(await holding(of, contact, facts)).toEqual(['written', 'no_email', 'never', 'in'])
  await texting.text('+13125550133', 'Is it still for sale?')
  await texting.send('+13125550133')
  expect(await holding(of, contact, facts)).toEqual(['written', 'no_email', 'in', 'sent'])
  app.clock.advance(3 * 24 * 3_600_000)
  expect(await holding(of, contact, facts)).toEqual(['written', 'no_email', 'in', 'days'])
  await texting.text('+13125550133', 'STOP')
  expect(await holding(of, contact, facts)).toContain('out')
})

test('an opt-out by text, by suppressed number, or by suppressed contact ends an enrollment', async () => {
  const { agent: of } = texting
  const definition = { exits: [{ when: 'opted_out' }], steps: [waitStep('wait', 60), tagStep('late')] }
  const id = idOf(await of.post('/automations', { name: 'Opt-outs', definition }))
  await of.post(`/automations/${id}/publish`)
  await of.post(`/automations/${id}/enable`)
  const ways: Record<string, (phone: string, contact: string) => Promise<unknown>> = {
    '+13125550191': (phone) => texting.text(phone, 'STOP'),
    '+13125550192': (phone) => of.post('/suppressions', { kind: 'opted_out', phone }),
    '+13125550193': (_, contact_id) => of.post('/suppressions', { kind: 'opted_out', contact_id }),
  }
  for (const [phone, optOut] of Object.entries(ways)) {
    const contact = await texting.lead(phone)
    const enrollment = idOf(await of.post(`/automations/${id}/enroll`, { contact_id: contact }))
    await tick()
    await texting.text(phone, 'Thanks')
    await tick()
    expect((await of.get(`/enrollments/${enrollment}`)).body).toMatchObject({ status: 'running' })
    await optOut(phone, contact)
    await tick()
    expect((await of.get(`/enrollments/${enrollment}`)).body, phone).toMatchObject({
      status: 'exited',
      reason: 'opted_out',
    })
  }
})

test('an enrollment exits on a stage, a tag, a new owner, a won deal, met conditions, or TRASH', async () => {
  const { id: member } = await emailing.workspace.member()
  const ends: Record<string, [exit: object, act: (contact: string) => Promise<unknown>]> = {
    stage: [
      { when: 'stage', stage: 'ACTIVE_CLIENT' },
      (contact) => agent.patch(`/contacts/${contact}`, { stage: 'ACTIVE_CLIENT' }),
    ],
    tag: [{ when: 'tag', tag: 'vip' }, (contact) => agent.patch(`/contacts/${contact}`, { tags: ['vip'] })],
    owner_changed: [
      { when: 'owner_changed' },
      (contact) => agent.patch(`/contacts/${contact}`, { owner_id: member }),
    ],
    deal_won: [
      { when: 'deal_won' },
      (contact) => agent.post('/deals', { contact_ids: [contact], status: 'won' }),
    ],
    conditions: [
      { when: 'conditions', conditions: { field: 'deal.price', operator: 'gt', value: 500_000 } },
      (contact) => agent.post('/deals', { contact_ids: [contact], price: 600_000 }),
    ],
    trash: [{ when: 'replied' }, (contact) => agent.patch(`/contacts/${contact}`, { stage: 'TRASH' })],
  }
  for (const [reason, [exit, act]] of Object.entries(ends)) {
    const automation = await enabled({ exits: [exit], steps: [waitStep('wait', 60)] })
    const { contact, enrollment } = await enrolled(automation)
    await tick()
    await agent.patch(`/contacts/${contact}`, { tags: ['other'] })
    await tick()
    expect((await agent.get(`/enrollments/${enrollment}`)).body, reason).toMatchObject({ status: 'running' })
    await act(contact)
    await tick()
    expect((await agent.get(`/enrollments/${enrollment}`)).body).toMatchObject({ status: 'exited', reason })
  }
})

test('an exit event that follows the trigger ends the enrollment before its first step', async () => {
  await enabled({
    triggers: [{ event: 'contact.tag_added', conditions: is('trigger.tag', 'hello') }],
    exits: [{ when: 'booked' }],
    steps: [tagStep('greeted')],
  })
  const { id: host } = await emailing.workspace.member()
  const contact = idOf(await agent.post('/contacts', { first_name: 'Ada' }))
  await agent.patch(`/contacts/${contact}`, { tags: ['hello'] })
  const at = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000).toISOString()
  await agent.post('/appointments', { contact_id: contact, host_id: host, starts_at: at(1), ends_at: at(2) })
  await tick()
  const [enrollment] = await enrollmentsOf(contact)
  expect(orNotFound(enrollment)).toMatchObject({ status: 'exited', reason: 'booked', started_at: null })
})

test('a wait for recipient.suppressed ends when the number of its contact is suppressed', async () => {
  const { agent: of } = texting
  const definition = {
    steps: [
      { key: 'quiet', type: 'wait_for', events: [{ event: 'recipient.suppressed' }], timeout: { days: 2 } },
      tagStep('on'),
    ],
  }
  const id = idOf(await of.post('/automations', { name: 'Suppressed', definition }))
  await of.post(`/automations/${id}/publish`)
  await of.post(`/automations/${id}/enable`)
  const contact = await texting.lead('+13125550194')
  const enrollment = idOf(await of.post(`/automations/${id}/enroll`, { contact_id: contact }))
  await tick()
  await of.post('/suppressions', { kind: 'opted_out', phone: '+13125550194' })
  await tick()
  const { steps } = (await of.get(`/enrollments/${enrollment}`)).body
  expect(steps.map(({ step_key, reason }: Record<string, string>) => `${step_key} ${reason}`)).toEqual([
    'quiet recipient.suppressed',
    'on null',
  ])
})
