import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { idOf } from '#test/support/fixtures.ts'
import { optOutChannels, suppressionKinds } from './suppression.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client
/** A masked credential. */
let few: Client

const phone = '+13125550186'

beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace()
  agent = await workspace.credential()
  few = await workspace.credential('compliance:write', 'contacts:write', 'leads:write')
})

const listed = async (client: Client, query = '') =>
  (await client.get(`/suppressions?limit=200${query}`)).body['data'] as Record<string, unknown>[]

test('an opt-out is recorded once, can gain channels, and exposes no number and no hash', async () => {
  const first = await agent.post('/suppressions', {
    phone: '312-555-0186',
    kind: 'opted_out',
    channels: ['sms'],
  })
  expect([first.status, first.body]).toEqual([
    201,
    {
      id: expect.any(String),
      subject_type: 'phone',
      contact_id: null,
      kind: 'opted_out',
      channels: ['sms'],
      source: 'api',
      actor: { type: 'api_key', id: agent.keyId, name: 'A key' },
      created_at: expect.any(String),
      lifted_at: null,
      lifted_by: null,
    },
  ])
  const again = await agent.post('/suppressions', { phone, kind: 'opted_out', channels: ['sms'] })
  expect([again.status, again.body]).toEqual([200, first.body])
  const wider = await agent.post('/suppressions', { phone, kind: 'opted_out' })
  expect([wider.status, wider.body]).toEqual([
    200,
    { ...first.body, channels: ['sms', 'voice_auto', 'whatsapp'] },
  ])
  expect(await listed(agent)).toEqual([wider.body])
  expect((await agent.get(`/suppressions/${first.body['id']}`)).body).toEqual(wider.body)
})

test('sixteen concurrent requests create one suppression', async () => {
  const bodies = Array.from({ length: 16 }, () => ({ phone, kind: 'opted_out' }))
  const responses = await Promise.all(bodies.map((body) => agent.post('/suppressions', body)))
  expect(responses.map(({ status }) => status).toSorted()).toEqual([...Array(15).fill(200), 201])
  expect(new Set(responses.map(({ body }) => body['id'])).size).toBe(1)
})

const subjects = { phone, email: 'ada@reyes.example' }
const only: Record<string, string[]> = {
  internal_dnc: ['phone', 'contact_id'],
  litigator: ['phone', 'contact_id'],
  reassigned_number: ['phone'],
  hard_bounce: ['email'],
  complaint: ['email', 'contact_id'],
}
const kinds = ['phone', 'email', 'contact_id'].flatMap((type) =>
  suppressionKinds.map((kind) => [kind, type] as const),
)
test.each(kinds)('kind %s with subject %s returns 201, or 400 if they do not fit', async (kind, type) => {
  const contact_id = idOf(await agent.post('/contacts'))
  const body = { kind, [type]: { ...subjects, contact_id }[type as 'phone'] }
  const { status, body: shown } = await agent.post('/suppressions', body)
  if (only[kind]?.includes(type) === false)
    expect([status, shown['error'].details[0].path]).toEqual([400, 'kind'])
  else
    expect([status, shown['kind'], shown['contact_id']]).toEqual([
      201,
      kind,
      type === 'contact_id' ? contact_id : null,
    ])
})

test('a body must name exactly one subject', async () => {
  const kind = 'manual'
  for (const body of [{ kind }, { kind, ...subjects }, { kind, phone, contact_id: 'c' }]) {
    const { status, body: rejected } = await agent.post('/suppressions', body)
    expect([status, rejected['error'].code]).toEqual([400, 'validation_failed'])
  }
  expect(await listed(agent)).toEqual([])
})

test('returns 409 if the contact was erased', async () => {
  const contact_id = idOf(await agent.post('/contacts'))
  await agent.delete(`/contacts/${contact_id}`)
  expect(await agent.post('/suppressions', { contact_id, kind: 'manual' })).toMatchObject({
    status: 409,
    body: { error: { code: 'contact_erased' } },
  })
})

test('a lifted suppression is kept, is listed as lifted, and cannot be lifted again', async () => {
  const id = idOf(await agent.post('/suppressions', { phone, kind: 'litigator' }))
  const lift = () => agent.post(`/suppressions/${id}/lift`)
  const lifted = await lift()
  expect([lifted.status, lifted.body]).toMatchObject([
    200,
    { id, lifted_at: expect.any(String), lifted_by: { id: agent.keyId } },
  ])
  expect(await lift()).toMatchObject({ status: 409, body: { error: { code: 'suppression_lifted' } } })
  expect(await listed(agent, '&lifted=true')).toEqual([lifted.body])
  expect(await listed(agent, '&lifted=false')).toEqual([])
  expect((await agent.post('/suppressions', { phone, kind: 'litigator' })).status).toBe(201)
  expect(await listed(agent, '&lifted=false')).toMatchObject([{ kind: 'litigator', lifted_at: null }])
})

test('a lookup accepts any notation of a number or address and requires contacts:read:pii', async () => {
  const made = [phone, 'ada@reyes.example'].map(async (value) =>
    idOf(
      await agent.post('/suppressions', {
        [value.includes('@') ? 'email' : 'phone']: value,
        kind: 'opted_out',
      }),
    ),
  )
  const [byPhone, byEmail] = await Promise.all(made)
  const ids = async (query: string) => (await listed(agent, query)).map(({ id }) => id)
  expect(await ids('&phone=(312)%20555-0186')).toEqual([byPhone])
  expect(await ids('&email=Ada@Reyes.example')).toEqual([byEmail])
  expect(await ids('&phone=3125550187')).toEqual([])
  expect(await ids('&phone=3125550186&email=ada@reyes.example')).toEqual([])
  expect(await ids('&phone=3125550186&kind=manual')).toEqual([])
  for (const query of ['phone=3125550186', 'email=ada@reyes.example'])
    expect(await few.get(`/suppressions?${query}`)).toMatchObject({
      status: 403,
      body: { error: { details: [{ path: 'scope', message: 'contacts:read:pii' }] } },
    })
})

test('a credential without PII access cannot learn that a number is that of a known person', async () => {
  const id = idOf(await agent.post('/contacts', { phone: '+13125550143' }))
  await agent.patch(`/contacts/${id}`, { phone })
  const known = await few.post('/suppressions', { phone, kind: 'opted_out' })
  const unknown = await few.post('/suppressions', { phone: '+13125550177', kind: 'opted_out' })
  const [foreign, all] = [await listed(few), await listed(agent)]
  expect(foreign.map((row) => row['id'])).toEqual([unknown.body['id'], known.body['id']])
  expect(foreign.map(({ source }) => source)).toEqual([null, null])
  // The suppression that was copied to the former number.
  const former = all.find(({ source }) => source === 'former')
  expect([all.length, former]).toMatchObject([3, { subject_type: 'phone' }])
  expect((await few.get(`/suppressions/${String(former?.['id'])}`)).status).toBe(404)
  expect((await few.post(`/suppressions/${String(former?.['id'])}/lift`)).status).toBe(404)
})

test('revoked consent is not listed as a suppression', async () => {
  const lead = idOf(await agent.post('/leads', { phone, source: 'Website', consent: {} }))
  await agent.delete(`/leads/${lead}/consent`)
  expect(await listed(agent)).toEqual([])
})

test('an opt-out of any phone channel through the API blocks AI outreach', async () => {
  for (const channel of optOutChannels.filter((one) => one !== 'email')) {
    const number = `+131255501${20 + optOutChannels.indexOf(channel)}`
    const body = { phone: number, kind: 'opted_out', channels: [channel] }
    await few.post('/suppressions', body)
    const lead = await agent.post('/leads', { phone: number, source: 'Website' })
    expect(lead.body['ai_outbound_blockers'], channel).toContain('opted_out')
  }
})
