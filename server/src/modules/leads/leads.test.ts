import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner } from '#test/support/database.ts'

const draft = { phone: '(312) 555-0123', source: 'Website' }

test('a lead is captured with all of its fields, and returned as stored', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const consent = {
    captured_at: '2026-03-02T14:59:00Z',
    source_url: 'https://www.example.com/listing?id=7',
    ip: '2001:db8::7',
    form_snapshot: { text: 'I agree', checked: true, nested: { deep: [1, null] } },
  }
  const full = {
    ...draft,
    first_name: 'Ada',
    last_name: 'Reyes',
    email: 'Ada@Reyes.example',
    source_ref: 'form-8841',
    context: { zip: '60614', price: 450000, anything: ['else'] },
    consent,
  }
  const { status, body } = await agent.post('/leads', full)
  expect(status).toBe(201)
  expect(body).toMatchObject({
    ...full,
    phone: '+13125550123',
    status: 'new',
    assignee_id: null,
    waits_for: 'agent',
    consent: { ...consent, sufficient: true, revoked_at: null, received_at: app.clock.now().toISOString() },
    ai_outbound_allowed: true,
    ai_outbound_blockers: [],
  })
  expect(body.consent.form_sha256).toMatch(/^[0-9a-f]{64}$/)
  expect((await agent.get(`/leads/${body.id}`)).body).toEqual(body)
  expect((await agent.get('/leads')).body.data).toEqual([body])
})

test('a lead is linked to the contact with its phone number, else its email, else to a new contact', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const made = async (body: object) => (await agent.post('/contacts', body)).body.id as string
  const byPhone = await made({ phone: '312.555.0123' })
  const byEmail = await made({ email: 'ada@reyes.example' })
  const contactOf = async (body: object) =>
    (await agent.post('/leads', { ...draft, ...body })).body.contact_id
  expect(await contactOf({ email: 'ada@reyes.example' })).toBe(byPhone)
  expect(await contactOf({ phone: '+442079460958', email: 'ADA@reyes.example' })).toBe(byEmail)
  const fresh = await contactOf({ phone: '+13125550199', first_name: 'Theo', email: 'theo@reyes.example' })
  expect((await agent.get(`/contacts/${fresh}`)).body).toMatchObject({
    first_name: 'Theo',
    email: 'theo@reyes.example',
    phone: '+13125550199',
    stage: 'LEAD',
    source: 'Website',
  })
  expect(await contactOf({ phone: '+1 312 555 0199' })).toBe(fresh)
  expect((await agent.get(`/leads?contact_id=${fresh}`)).body.data).toHaveLength(2)
})

test('a lead matches no erased contact, and matches a contact by its current number', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const first = (await agent.post('/leads', draft)).body
  await agent.patch(`/contacts/${first.contact_id}`, { phone: '+13125550177' })
  const second = (await agent.post('/leads', draft)).body
  expect(second.contact_id).not.toBe(first.contact_id)
  expect((await agent.post('/leads', { ...draft, phone: '+13125550177' })).body.contact_id).toBe(
    first.contact_id,
  )
  await agent.delete(`/contacts/${second.contact_id}`)
  const third = (await agent.post('/leads', draft)).body
  expect([first.contact_id, second.contact_id]).not.toContain(third.contact_id)
})

/** What one person enters in sixteen forms: the same number, the same address, or both in each. */
const [number, address] = ['+13125550123', 'ada@reyes.example']
const otherNumber = (form: number) => `+13125550${100 + form}`
const otherAddress = (form: number) => `ada${form}@reyes.example`
const forms: Record<string, (form: number) => object> = {
  'one number in two spellings': (form) => ({ phone: form % 2 === 0 ? '312-555-0123' : number }),
  'one number, sixteen addresses': (form) => ({ phone: number, email: otherAddress(form) }),
  'one number, and now and then an address': (form) => ({
    phone: number,
    ...(form % 3 === 0 ? { email: address } : {}),
  }),
  'one address, sixteen numbers': (form) => ({ phone: otherNumber(form), email: address }),
  'one address in two spellings, sixteen numbers': (form) => ({
    phone: otherNumber(form),
    email: form % 2 === 0 ? address : 'ADA@Reyes.example',
  }),
}

test.each(Object.entries(forms))(
  'sixteen concurrent leads with %s create one contact',
  async (_what, form) => {
    await using app = await testApp()
    for (let round = 0; round < 2; round++) {
      const agent = await app.credential()
      const leads = Array.from({ length: 16 }, (_, i) =>
        agent.post('/leads', { source: 'Website', ...form(i) }),
      )
      const responses = await Promise.all(leads)
      expect(responses.map(({ status }) => status)).toEqual(Array(16).fill(201))
      expect(new Set(responses.map(({ body }) => body.contact_id)).size).toBe(1)
      expect((await agent.get('/contacts')).body.data).toHaveLength(1)
    }
  },
)

test.each(['abcde', '12345', '+1 555 555 5555', '00000', '+12129110123', '(415) 411-0123 ext. 2'])(
  '%j is rejected as a phone number',
  async (phone) => {
    await using app = await testApp()
    const agent = await app.credential()
    const { status, body } = await agent.post('/leads', { ...draft, phone })
    expect(status).toBe(400)
    expect(body.error.details).toEqual([{ path: 'phone', message: 'is not a phone number' }])
    expect((await agent.get('/contacts')).body.data).toEqual([])
  },
)

test('without contacts:read:pii, personal data is masked and known numbers look like unknown ones', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const all = await workspace.credential()
  const few = await workspace.credential('leads:write')
  await all.post('/contacts', { phone: '+13125550123', first_name: 'Known' })
  const body = {
    ...draft,
    email: 'ada@reyes.example',
    source_ref: 'call +1 312 555 0123',
    context: {
      note: 'call 312 555 0123',
      zip: '60614',
      born: '1990-01-31',
      mobile: 3125550123,
      dotted: '312·555–0123',
      more: [{ 'a@b.example': 'a@b.example' }],
    },
    consent: {
      captured_at: 1772463540,
      ip: '203.0.113.7',
      source_url: 'https://example.com/?phone=3125550123',
      form_snapshot: { phone: '3125550123' },
    },
  }
  const known = (await few.post('/leads', body)).body
  const unknown = (
    await few.post('/leads', { ...body, phone: '(773) 555-0123', email: 'other@reyes.example' })
  ).body
  const comparable = ({ id, ...rest }: Record<string, unknown>) => ({ ...rest, email: null, id: typeof id })
  expect(comparable(known)).toEqual(comparable(unknown))
  expect(known.consent.form_sha256).toBe(null)
  expect(known).toMatchObject({
    contact_id: null,
    phone: '+1******0123',
    email: 'a***@reyes.example',
    source_ref: 'call +1******0123',
    context: {
      note: 'call ******0123',
      zip: '60614',
      born: '1990-01-31',
      mobile: '******0123',
      dotted: '******0123',
      more: [{ 'a***@b.example': 'a***@b.example' }],
    },
    consent: {
      captured_at: 1772463540,
      ip: null,
      source_url: 'https://example.com/?phone=******0123',
      form_snapshot: { phone: '******0123' },
    },
  })
  expect(JSON.stringify((await few.get(`/leads/${known.id}`)).body)).not.toMatch(/5550123|555 0123/)
  expect((await all.get(`/leads/${known.id}`)).body).toMatchObject({
    phone: '+13125550123',
    context: body.context,
  })
})

test.each<[string, { captured_at?: unknown; [name: string]: unknown } | undefined, string[]]>([
  ['no consent', undefined, ['consent_missing']],
  ['an empty one', {}, ['captured_at_missing', 'evidence_missing']],
  ['a time alone', { captured_at: '2026-03-02T15:00:00Z' }, ['evidence_missing']],
  ['a page alone', { source_url: 'https://example.com' }, ['captured_at_missing']],
  ['an empty form', { captured_at: '2026-03-02T15:00:00Z', form_snapshot: {} }, ['evidence_missing']],
  [
    'no readable time',
    { captured_at: 'yesterday', source_url: 'https://example.com' },
    ['captured_at_invalid'],
  ],
  [
    'a time that is no time',
    { captured_at: { at: 1 }, source_url: 'https://example.com' },
    ['captured_at_invalid'],
  ],
  [
    'a time in the future',
    { captured_at: '2026-03-02T15:05:01Z', form_snapshot: { a: 1 } },
    ['captured_at_in_future'],
  ],
  ['a time just ahead', { captured_at: '2026-03-02T15:05:00Z', form_snapshot: { a: 1 } }, []],
  ...[
    '2026-03-02T15:00:00',
    '2026-03-02 15:00',
    '2026-03-02',
    1772463600,
    1772463600000,
    '1772463600',
    'March 2, 2026 at 3 pm',
    '03/02/2026',
    '2026-03-02T15:00:00Z[America/Chicago]',
    true,
    [],
  ].map((captured_at): [string, { captured_at: unknown; form_snapshot: object }, string[]] => [
    `the time ${JSON.stringify(captured_at)}`,
    { captured_at, form_snapshot: { a: 1 } },
    ['captured_at_invalid'],
  ]),
  ['another offset', { captured_at: '2026-03-02T09:00:00-06:00', source_url: 'https://example.com' }, []],
])('with %s, the AI may contact the lead only if the consent is valid', async (_, consent, blockers) => {
  await using app = await testApp()
  const agent = await app.credential()
  const { body } = await agent.post('/leads', { ...draft, ...(consent === undefined ? {} : { consent }) })
  expect(body['consent']?.captured_at ?? undefined).toEqual(consent?.captured_at)
  expect(body).toMatchObject({
    ai_outbound_blockers: blockers,
    ai_outbound_allowed: blockers.length === 0,
  })
})

test('a revocation leaves the consent as submitted and is stored beside it', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const consent = { captured_at: '2026-03-02T15:00:00Z', source_url: 'https://example.com' }
  const { id } = (await agent.post('/leads', { ...draft, consent })).body
  app.clock.advance(60_000)
  const revoked = await agent.delete(`/leads/${id}/consent`)
  expect(revoked.body).toMatchObject({
    consent: { ...consent, revoked_at: app.clock.now().toISOString(), sufficient: false },
    ai_outbound_allowed: false,
    ai_outbound_blockers: ['consent_revoked'],
  })
  app.clock.advance(60_000)
  expect((await agent.delete(`/leads/${id}/consent`)).body).toEqual(revoked.body)
  expect((await agent.get(`/leads/${id}`)).body).toEqual(revoked.body)
  const changed = (change: string) =>
    asOwner(
      app.databaseUrl,
      `begin; set local role gable_app; set local gable.workspace_id = '${workspace.id}';
       update lead_consents set ${change} where lead_id = '${id}'; rollback`,
    )
  await expect(changed("ip = '1'")).rejects.toThrow('row-level security')
  await expect(changed("captured_at = '1'")).rejects.toThrow('row-level security')
  await expect(changed('received_at = null')).rejects.toThrow('permission denied')
  const without = (await agent.post('/leads', draft)).body
  expect((await agent.delete(`/leads/${without.id}/consent`)).status).toBe(404)
})

test('a stored form snapshot keeps its order and spelling, and its hash can be verified', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const form_snapshot = { zebra: 1, a: 'ü', mid: { b: 1, a: [1.5, null] } }
  const { id } = (await agent.post('/leads', { ...draft, consent: { form_snapshot } })).body
  const { consent } = (await agent.get(`/leads/${id}`)).body
  expect(JSON.stringify(consent.form_snapshot)).toBe(JSON.stringify(form_snapshot))
  expect(consent.form_sha256).toBe(
    createHash('sha256').update(JSON.stringify(consent.form_snapshot)).digest('hex'),
  )
})

test('unlinked_only lists the leads whose contact was erased', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const kept = (await agent.post('/leads', draft)).body
  const gone = (await agent.post('/leads', { ...draft, phone: '+13125550199' })).body
  await agent.delete(`/contacts/${gone.contact_id}`)
  const ids = async (query: string) =>
    (await agent.get(`/leads${query}`)).body.data.map((lead: { id: string }) => lead.id)
  expect(await ids('?unlinked_only=true')).toEqual([gone.id])
  expect(await ids('?unlinked_only=false')).toEqual([gone.id, kept.id])
  expect(await ids(`?contact_id=${gone.contact_id}`)).toEqual([])
  expect((await agent.get('/leads?unlinked_only=yes')).status).toBe(400)
})

test('a lead captured with skip_routing has no assignee until it is assigned', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const member = await workspace.member()
  const { body } = await agent.post('/leads', { ...draft, skip_routing: true })
  expect(body).toMatchObject({ assignee_id: null, waits_for: null, routing: null, status: 'new' })
  expect((await agent.get(`/leads/${body.id}/routing`)).body.data).toEqual([])
  await agent.post(`/leads/${body.id}/assign`, { assignee_id: member.id })
  expect((await agent.get(`/leads/${body.id}`)).body).toMatchObject({
    assignee_id: member.id,
    status: 'assigned',
  })
})
