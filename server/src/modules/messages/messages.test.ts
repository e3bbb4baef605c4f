import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type TestApp, type TestWorkspace, testApp } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { readyToSend } from '#test/support/ready-to-send.ts'
import { suppress } from '../compliance/public.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client

beforeAll(async () => void (app = await testApp()))
beforeEach(async () => {
  app.clock.set('2026-03-02T15:00:00.000Z')
  workspace = await app.workspace()
  agent = await workspace.credential()
  await readyToSend(workspace)
})
afterAll(() => app[Symbol.asyncDispose]())

/** A person in Chicago who has consented to texts. */
const to = '+13125550177'
const text = { channel: 'sms', to, body: 'See you on Saturday.' }
const optOut = () =>
  suppress(workspace.ctx, [
    { subject: { type: 'phone', value: to as never }, kind: 'opted_out', source: 'operator' },
  ])

describe('POST /messages', () => {
  test('accepts a text to a person who consented and links it to the contact with that number', async () => {
    const { status, body } = await agent.post('/messages', text)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      channel: 'SMS',
      direction: 'OUTBOUND',
      status: 'queued',
      from: '+13125550188',
      to,
      body: text.body,
      segments: 1,
      source: 'api',
      compliance: { decision: 'allowed', reason: null, zones: [{ zone: 'America/Chicago' }] },
    })
    const { body: contact } = await agent.get(`/contacts/${body['contact_id']}`)
    expect(contact['phone']).toBe(to)
  })

  test('rejects a text without consent with 422 and its reasons, and keeps the attempt', async () => {
    const { status, body } = await agent.post('/messages', { ...text, to: '+13125550166' })
    expect([status, body['error'].code, body['error'].reason]).toEqual([
      422,
      'compliance_blocked',
      'consent_missing',
    ])
    expect(body['error'].reasons).toContain('consent_missing')
    const { body: kept } = await agent.get(`/messages/${body['error'].message_id}`)
    expect(kept).toMatchObject({ status: 'blocked', body: text.body, compliance: { decision: 'blocked' } })
    const { data } = (await agent.get('/messages?status=blocked')).body
    expect(data).toHaveLength(1)
  })

  test('returns the same 422 and attempt for the same Idempotency-Key', async () => {
    await optOut()
    const send = () => agent.post('/messages', text, { 'idempotency-key': 'one' })
    const [first, second] = [await send(), await send()]
    expect([first.status, first.body['error'].reason]).toEqual([422, 'opted_out'])
    expect(second.body).toEqual(first.body)
    expect((await agent.get('/messages')).body['data']).toHaveLength(1)
  })

  test('outside texting hours, returns when the message may be sent', async () => {
    app.clock.set('2026-03-03T04:00:00.000Z')
    const { body } = await agent.post('/messages', text)
    expect(body['error']).toMatchObject({
      reason: 'quiet_hours',
      reasons: ['quiet_hours'],
      retry_at: '2026-03-03T14:00:00.000Z',
    })
  })

  test('outside texting hours, schedules a message with when_blocked set to schedule', async () => {
    app.clock.set('2026-03-03T04:00:00.000Z')
    const { status, body } = await agent.post('/messages', { ...text, when_blocked: 'schedule' })
    expect([status, body['status'], body['scheduled_at']]).toEqual([
      201,
      'scheduled',
      '2026-03-03T14:00:00.000Z',
    ])
  })

  test('in a state under emergency, blocks even schedulable messages until the emergency ends', async () => {
    const set = (emergency_states: string[]) => agent.patch('/compliance-settings', { emergency_states })
    await set(['IL'])
    const { body } = await agent.post('/messages', { ...text, when_blocked: 'schedule' })
    expect(body['error']).toMatchObject({ reason: 'restricted_day', retry_at: null })
    const { gates } = (await agent.post('/messages/preflight', text)).body
    expect(gates.at(-1)).toMatchObject({ gate: 'quiet_hours', rules: [{ id: 'emergency' }] })
    await set([])
    expect((await agent.post('/messages', text)).status).toBe(201)
  })

  test('schedules nothing that is also blocked for another reason', async () => {
    await optOut()
    app.clock.set('2026-03-03T04:00:00.000Z')
    const { status, body } = await agent.post('/messages', { ...text, when_blocked: 'schedule' })
    expect([status, body['error'].reason, body['error'].retry_at]).toEqual([422, 'opted_out', null])
  })

  test.each([
    [{ ...text, to: 'call me' }, ['to']],
    [{ ...text, to: '12345' }, ['to']],
    [{ channel: 'email', to: 'Sam', subject: 'Hello', body: 'Hello.' }, ['to']],
    [{ channel: 'email', to: 'sam@reyes.example', subject: 'Hello' }, ['body']],
    [{ channel: 'whatsapp', to }, ['body']],
    [{ channel: 'whatsapp', to, body: 'Hello', template: { name: 'a', language: 'en' } }, ['body']],
    [{ ...text, channel: 'fax' }, ['channel']],
    [{ ...text, channel: 'SMS' }, ['channel']],
    [{ to, body: 'Hello' }, ['channel']],
  ])('rejects %j: 400 for %j', async (draft, paths) => {
    const { status, body } = await agent.post('/messages', draft)
    expect([status, body['error'].details?.map(({ path }: { path: string }) => path)]).toEqual([400, paths])
  })

  test('blocks a well-formed but unassigned number as recipient_invalid', async () => {
    const { status, body } = await agent.post('/messages', { ...text, to: '+12115550123' })
    expect([status, body['error'].reason]).toEqual([422, 'recipient_invalid'])
  })

  test.each(['+12129110123', '(415) 411-0123', '1-305-611-0123', 'tel:+1-206-311-0123', '+14168110123'])(
    'blocks %s, whose exchange is a service, as recipient_invalid',
    async (none) => {
      const { status, body } = await agent.post('/messages', { ...text, to: none })
      expect([status, body['error'].reason]).toEqual([422, 'recipient_invalid'])
    },
  )

  test.each(['call my wife', '+12129110123', '(415) 411-0123', '312-555-01', 'nothing', '911 ext. 4'])(
    'blocks what is sent to a contact whose phone is %s as recipient_invalid',
    async (phone) => {
      const { status, body: contact } = await agent.post('/contacts', { phone })
      expect([status, contact['phone']]).toEqual([201, phone])
      const sent = await agent.post('/messages', { ...text, to: phone, contact_id: contact['id'] })
      expect([sent.status, sent.body['error'].reason]).toEqual([422, 'recipient_invalid'])
      const masked = await workspace.credential('messages:send', 'contacts:read')
      const { body: shown } = await masked.get(`/contacts/${contact['id']}`)
      const other = await masked.post('/messages', { ...text, to: shown['phone'], contact_id: contact['id'] })
      expect([other.status, other.body['error'].reason]).toEqual([422, 'recipient_invalid'])
    },
  )

  test('rejects a number that is not the contact’s', async () => {
    const { body: contact } = await agent.post('/contacts', { first_name: 'Lin', phone: '+13125550144' })
    const { status, body } = await agent.post('/messages', { ...text, contact_id: contact['id'] })
    expect([status, body['error'].details]).toEqual([
      400,
      [{ path: 'to', message: 'is not a phone number of this contact' }],
    ])
  })

  test('accepts a masked number from a credential that sees only masks, and returns it masked', async () => {
    const limited = await workspace.credential('contacts:read', 'messages:send')
    const { data } = (await limited.get('/contacts')).body
    const [contact] = data as { id: string; phone: string }[]
    const sent = await limited.post('/messages', { ...text, to: contact?.phone, contact_id: contact?.id })
    expect(sent).toMatchObject({ status: 201, body: { to: '+1******0177', contact_id: contact?.id } })
  })

  test('hides the contact from a credential without contacts:read:pii that does not name it', async () => {
    const limited = await workspace.credential('messages:send')
    expect((await limited.post('/messages', text)).body['contact_id']).toBeNull()
  })

  test('blocks a message to an erased contact and keeps neither its text nor its recipient', async () => {
    const { data } = (await agent.get('/contacts')).body
    await agent.delete(`/contacts/${data[0].id}`)
    const { status, body } = await agent.post('/messages', { ...text, contact_id: data[0].id })
    expect([status, body['error'].reason]).toEqual([422, 'recipient_erased'])
    const { body: kept } = await agent.get(`/messages/${body['error'].message_id}`)
    expect([kept['body'], kept['to']]).toEqual([null, null])
  })
})

describe('with messages:send_only', () => {
  const shownOf = ({ body }: { body: Record<string, unknown> }) =>
    JSON.parse(
      JSON.stringify(body)
        .replaceAll(/\bc[a-z0-9]{24}\b/g, 'id')
        .replaceAll(/\+1(\*{6})?\d+/g, 'number'),
    ) as Record<string, unknown>

  test('a message is sent like any other, and the response says nothing of whose number it is', async () => {
    const other = '+13125550178'
    await agent.post('/messages', text)
    await agent.post('/leads', {
      phone: other,
      source: 'Website',
      skip_routing: true,
      consent: { captured_at: '2026-01-02T15:00:00Z', source_url: 'https://lanternandoak.example/valuation' },
    })
    const [contact] = (await agent.get(`/contacts?phone=${encodeURIComponent(to)}`)).body['data'] as {
      id: string
    }[]
    await agent.patch(`/contacts/${contact?.id}`, { timezone: 'America/Denver' })
    for (const more of [[], ['contacts:read:pii']] as const) {
      const sender = await workspace.credential('messages:send_only', ...more)
      const [known, named, first] = [
        await sender.post('/messages', text),
        await sender.post('/messages', {
          ...text,
          to: more.length === 0 ? '+1******0177' : to,
          contact_id: contact?.id,
        }),
        await sender.post('/messages', { ...text, to: other }),
      ]
      expect(known).toMatchObject({
        status: 201,
        body: { status: 'queued', contact_id: null, conversation_id: null, reply_to_message_id: null },
      })
      expect(shownOf(known)).toEqual(shownOf(first))
      expect(shownOf(named)).toEqual(shownOf(first))
      expect((await agent.get(`/messages/${known.body['id']}`)).body['contact_id']).toBe(contact?.id)
    }
  })

  test('nothing is read, checked, continued, or cancelled', async () => {
    const sender = await workspace.credential('messages:send_only', 'contacts:read:pii')
    const { body: sent } = await sender.post('/messages', text)
    const email = { channel: 'email', to: 'sam@reyes.example', subject: 'Saturday', body: 'See you at 2 pm.' }
    for (const [status, needed] of [
      [await sender.get(`/messages/${sent['id']}`), 'messages:read'],
      [await sender.get('/messages'), 'messages:read'],
      [await sender.get('/conversations'), 'messages:read'],
      [await sender.post('/messages/preflight', text), 'messages:send'],
      [await sender.post(`/messages/${sent['id']}/cancel`, undefined), 'messages:send'],
    ] as const)
      expect([status.status, status.body['error']?.details?.[0]?.message]).toEqual([403, needed])
    const continued = await sender.post('/messages', { ...email, reply_to_message_id: sent['id'] })
    expect([continued.status, continued.body['error'].details[0].path]).toEqual([404, 'reply_to_message_id'])
  })
})

describe('POST /messages/preflight', () => {
  test.each([
    ['sms', { to: '+13125550177' }, { body: 'See you at 2 pm.' }],
    ['whatsapp', { to: '+13125550177' }, { body: 'See you at 2 pm.' }],
    ['email', { to: 'sam@reyes.example' }, { subject: 'Saturday', body: 'See you at 2 pm.' }],
  ] as const)(
    'judges a %s before it is written, without its content',
    async (channel, addressed, written) => {
      const check = async (more: object) => {
        const { status, body } = await agent.post('/messages/preflight', { channel, ...addressed, ...more })
        expect(status).toBe(200)
        return body as { reasons: string[]; gates: { gate: string; passed: boolean; skipped: boolean }[] }
      }
      const [before, after] = [await check({}), await check(written)]
      expect(before.reasons).toEqual(after.reasons)
      const skipped = ({ gates }: typeof before) => gates.filter((one) => one.skipped).map(({ gate }) => gate)
      expect([skipped(before), skipped(after)]).toEqual([['content'], []])
      for (const [member, value] of Object.entries(written))
        expect(skipped(await check({ [member]: value })), member).toEqual([])
      const { status, body } = await agent.post('/messages', { channel, ...addressed })
      expect([status, body['error'].code]).toEqual([400, 'validation_failed'])
    },
  )

  test('shows a limited credential that names no contact the time zone of an unknown number', async () => {
    const [contact] = (await agent.get('/contacts')).body['data'] as { id: string }[]
    await agent.patch(`/contacts/${contact?.id}`, { timezone: 'Pacific/Honolulu' })
    const limited = await workspace.credential('contacts:read', 'messages:send')
    const zones = async (client: Client, more = {}) =>
      (
        (await client.post('/messages/preflight', { ...text, ...more })).body['zones'] as { zone: string }[]
      ).map(({ zone }) => zone)
    expect(await zones(agent)).toEqual(['Pacific/Honolulu'])
    expect(await zones(limited)).toEqual(['America/Chicago'])
    const masked = String((await limited.get(`/contacts/${contact?.id}`)).body['phone'])
    expect(await zones(limited, { contact_id: contact?.id, to: masked })).toEqual(['Pacific/Honolulu'])
  })

  test('does not reveal to a credential that sees only masks whether it guessed a number', async () => {
    const [contact] = (await agent.get('/contacts')).body['data'] as { id: string; phone: string }[]
    const limited = await workspace.credential('contacts:read', 'messages:send', 'calls:write')
    const { phone } = (await limited.get(`/contacts/${contact?.id}`)).body
    const statusOf = async (path: string, number: string) =>
      (await limited.post(path, { ...(path.startsWith('/m') && text), to: number, contact_id: contact?.id }))
        .status
    for (const path of ['/messages/preflight', '/calls/preflight']) {
      expect(await statusOf(path, phone), path).toBe(200)
      expect(await statusOf(path, String(contact?.phone)), path).toBe(400)
      expect(await statusOf(path, '+13125550199'), path).toBe(400)
    }
  })

  test('returns the verdict of each gate and writes nothing', async () => {
    await optOut()
    const { status, body } = await agent.post('/messages/preflight', text)
    expect(status).toBe(200)
    expect(body).toMatchObject({ allowed: false, reason: 'opted_out', reasons: ['opted_out'], segments: 1 })
    const failed = (body['gates'] as { gate: string; passed: boolean }[]).filter(({ passed }) => !passed)
    expect(failed.map(({ gate }) => gate)).toEqual(['opt_out'])
    expect((await agent.get('/messages')).body['data']).toEqual([])
  })
})

describe('the content gate', () => {
  const body = 'A safe neighborhood.'
  const found = {
    code: 'content_fair_housing',
    category: 'steering',
    field: 'body',
    text: 'safe neighborhood',
    start: 2,
    end: 19,
  }

  test('blocks text written by an AI and returns the findings', async () => {
    const draft = { ...text, body, ai_generated: true }
    const { status, body: rejected } = await agent.post('/messages', draft)
    expect(status).toBe(422)
    expect(rejected['error'].reasons).toContain('content_fair_housing')
    expect(rejected['error'].content).toEqual([found])
    const { gates } = (await agent.post('/messages/preflight', draft)).body
    expect(gates.find(({ gate }: { gate: string }) => gate === 'content')).toMatchObject({
      passed: false,
      rules: [{ id: 'steering' }],
    })
  })

  test('warns about text written by a person but does not block it', async () => {
    const email = { channel: 'email', to: 'lin@reyes.example', subject: 'No kids', html: `<p>${body}</p>` }
    const { body: preflight } = await agent.post('/messages/preflight', email)
    expect(preflight['warnings']).toContain('content_fair_housing')
    expect(preflight['content'].map((one: { field: string }) => one.field)).toEqual(['subject', 'html'])
    expect((await agent.post('/messages', { ...text, body })).status).toBe(201)
  })
})

describe('POST /messages/{id}/cancel', () => {
  test('cancels a queued message once, then returns 409', async () => {
    const { body: message } = await agent.post('/messages', text)
    const cancel = () => agent.post(`/messages/${message['id']}/cancel`)
    expect(await cancel()).toMatchObject({ status: 200, body: { status: 'cancelled' } })
    expect(await cancel()).toMatchObject({
      status: 409,
      body: { error: { code: 'message_not_cancellable' } },
    })
  })
})

test('GET /messages filters by contact, channel, direction, status and conversation', async () => {
  const { body: sms } = await agent.post('/messages', text)
  const email = { channel: 'email', to: 'lin@reyes.example', subject: 'Hello', body: 'Hello.' }
  const { body: mail } = await agent.post('/messages', email)
  await agent.post(`/messages/${mail['id']}/cancel`)
  const ids = async (query: string) =>
    ((await agent.get(`/messages?${query}`)).body['data'] as { id: string }[]).map(({ id }) => id)
  expect(await ids('')).toEqual([mail['id'], sms['id']])
  expect(await ids(`contact_id=${sms['contact_id']}`)).toEqual([sms['id']])
  expect(await ids('channel=EMAIL')).toEqual([mail['id']])
  expect(await ids('direction=INBOUND')).toEqual([])
  expect(await ids('direction=OUTBOUND&status=cancelled')).toEqual([mail['id']])
  expect(await ids(`conversation_id=${sms['conversation_id']}`)).toEqual([sms['id']])
})

test('an erasure removes message content, cancels queued messages, and keeps their dates', async () => {
  const { body: message } = await agent.post('/messages', text)
  await agent.delete(`/contacts/${message['contact_id']}`)
  const { body: after } = await agent.get(`/messages/${message['id']}`)
  expect(after).toMatchObject({
    status: 'cancelled',
    to: null,
    from: null,
    body: null,
    created_at: message['created_at'],
  })
  expect(after['erased_at']).not.toBeNull()
  const { body: conversation } = await agent.get(`/conversations/${message['conversation_id']}`)
  expect(conversation['address']).toBeNull()
})
