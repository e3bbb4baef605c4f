import { expect, test } from 'vitest'
import { app, openTexting, suppressions, texting } from '#test/scenes/messaging.ts'
import { testApp } from '#test/support/app.ts'
import { asOwner, fingerprint } from '#test/support/database.ts'
import { startTexting } from '#test/support/texting.ts'
import { suppress } from '../../compliance/public.ts'

const person = '+13125550177'
openTexting({ anonymousRateLimit: 300 })

const messages = async (filter = '') => (await texting.agent.get(`/messages${filter}`)).body['data']

test('an inbound text creates a message, an event, and a timeline entry on the contact', async () => {
  const contact = await texting.lead(person)
  expect((await texting.text(person, 'Is it still for sale?')).status).toBe(200)
  const [message] = await messages('?direction=INBOUND')
  expect(message).toMatchObject({
    channel: 'SMS',
    status: 'received',
    source: 'inbound',
    purpose: null,
    from: person,
    to: texting.number,
    body: 'Is it still for sale?',
    contact_id: contact,
    ai_generated: false,
  })
  const { body: conversation } = await texting.agent.get(`/conversations/${message.conversation_id}`)
  expect(conversation).toMatchObject({
    address: person,
    contact_id: contact,
    last_message_id: message.id,
    last_inbound_at: app.clock.now().toISOString(),
    last_outbound_at: null,
  })
  expect(await texting.events('message.received')).toMatchObject([{ id: message.id, contact_id: contact }])
  const { data } = (await texting.agent.get(`/contacts/${contact}/events`)).body
  expect(data.map(({ title }: { title: string }) => title)).toContain('Text received')
})

test('a text reported ten times concurrently yields one message and one event', async () => {
  const same = () => texting.text(person, 'Hello', { MessageSid: 'SM0123' })
  const responses = await Promise.all(Array.from({ length: 10 }, same))
  expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(await messages()).toHaveLength(1)
  expect(await texting.events('message.received')).toHaveLength(1)
})

test('an unsigned, forged, or misdirected callback returns 403 and changes nothing', async () => {
  const contact = await texting.lead(person)
  const id = await texting.send(person)
  const before = await fingerprint(app.databaseUrl)
  const connections = () =>
    asOwner(
      app.databaseUrl,
      "select to_jsonb(c) - 'callback_rejected_at' as row from connections c order by id",
    )
  const connected = await connections()
  const unsigned = (path: string, init?: RequestInit) =>
    fetch(`${app.url}/callbacks/${path}`, { method: 'POST', ...init })
  const rejected = await Promise.all([
    texting.callBack(
      'inbound',
      { MessageSid: 'SM1', From: person, To: texting.number, Body: 'STOP' },
      'guessed',
    ),
    texting.callBack(`status/${id}`, { MessageSid: 'SM1', MessageStatus: 'delivered' }, ''),
    unsigned(`twilio/${texting.connectionId}/inbound`),
    unsigned(`twilio/${texting.connectionId}/inbound?x=%00`, { method: 'GET' }),
    unsigned(`whatsapp/${texting.connectionId}/inbound`),
    unsigned(`twilio/${contact}/inbound`),
    unsigned('twilio/%00/inbound'),
    unsigned('twilio/a/'),
    unsigned('constructor/__proto__/x'),
    unsigned(`twilio/${texting.connectionId}/../../inbound`, {
      method: 'POST',
      body: Buffer.alloc(1000, 0xff),
    }),
  ])
  const known = rejected.slice(0, 9)
  expect(known.map(({ status }) => status)).toEqual(known.map(() => 403))
  const bodies = await Promise.all(
    known.map(async (one) => (await one.json()) as { error: { code: string } }),
  )
  expect(new Set(bodies.map(({ error }) => error.code))).toEqual(new Set(['invalid_signature']))
  expect(rejected.every(({ status }) => status < 500)).toBe(true)
  expect(await connections()).toEqual(connected)
  // Except for the time of the last rejection, which the connection shows.
  const { connections: _, ...after } = await fingerprint(app.databaseUrl)
  expect(after).toEqual(
    Object.fromEntries(Object.entries(before).filter(([table]) => table !== 'connections')),
  )
})

test('a body over 4 MiB returns 413', async () => {
  const url = `${app.url}/callbacks/twilio/${texting.connectionId}/inbound`
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'x-twilio-signature': 'a' },
    body: 'a'.repeat(4 * 1024 * 1024 + 1),
  })
  expect(status).toBe(413)
})

test('a signed callback with any content returns 200', async () => {
  const strange = [
    '',
    '\0',
    '\ud800',
    '\u202e',
    '🛑',
    ' '.repeat(2000),
    "'; drop table messages; --",
    'a'.repeat(30_000),
  ]
  for (const value of strange)
    for (const name of ['From', 'To', 'Body', 'MessageSid'])
      expect((await texting.text(person, 'Hello', { [name]: value })).status).toBe(200)
  for (const value of strange) {
    expect((await texting.status('constructor', value)).status).toBe(200)
    expect((await texting.status('x', 'delivered', { MessageSid: value, ErrorCode: value })).status).toBe(200)
  }
})

test('a text to a number that is not a sender of the connection is not recorded', async () => {
  expect((await texting.text(person, 'STOP', { To: '+13125550111' })).status).toBe(200)
  expect([await messages(), await suppressions()]).toEqual([[], []])
})

test('a text is linked to the contact last messaged, else the one last updated, else none', async () => {
  await texting.text('+13125550166', 'Hello')
  expect(await messages()).toMatchObject([{ contact_id: null, from: '+13125550166' }])
  const ids: string[] = []
  for (const first_name of ['Ada', 'Bea']) {
    app.clock.advance(1000)
    ids.push((await texting.agent.post('/contacts', { first_name, phone: person })).body['id'])
  }
  const linked = async () => {
    await texting.text(person, 'Hello')
    return (await messages('?direction=INBOUND'))[0].contact_id
  }
  expect(await linked()).toBe(ids[1])
  await texting.lead(person)
  const draft = { channel: 'sms', to: person, body: 'Hello', contact_id: ids[0] }
  expect((await texting.agent.post('/messages', draft)).status).toBe(201)
  app.clock.advance(1000)
  await texting.agent.patch(`/contacts/${ids[1]}`, { last_name: 'Reyes' })
  expect(await linked()).toBe(ids[0])
})

test('STOP opts out, cancels queued messages, pauses the AI, and is confirmed once', async () => {
  const contact = await texting.lead(person)
  const waiting = await texting.send(person)
  const other = await texting.lead('+13125550178')
  const elsewhere = await texting.send('+13125550178')
  for (const word of ['Stop.', 'STOP', 'unsubscribe']) {
    app.clock.advance(1000)
    expect((await texting.text(person, word)).status).toBe(200)
  }
  expect(await suppressions()).toEqual([
    { kind: 'opted_out', channels: ['sms', 'voice_auto', 'whatsapp'], source: 'inbound', lifted: false },
  ])
  expect((await texting.agent.get(`/messages/${waiting}`)).body['status']).toBe('cancelled')
  expect((await texting.agent.get(`/messages/${elsewhere}`)).body['status']).toBe('queued')
  expect(await texting.events('message.cancelled')).toMatchObject([{ id: waiting }])
  expect((await texting.agent.get(`/contacts/${contact}`)).body['ai_auto_response']).toBe('paused')
  expect((await texting.agent.get(`/contacts/${other}`)).body['ai_auto_response']).toBe('active')
  const begun = await texting.begin()
  expect(begun.map(({ kind, to }) => [kind, to])).toEqual([
    ['standard', '+13125550178'],
    ['opt_out_confirmation', person],
  ])
  const blocked = await texting.agent.post('/messages', { channel: 'sms', to: person, body: 'But' })
  expect([blocked.status, blocked.body['error'].reason]).toEqual([422, 'opted_out'])
  expect(await messages('?direction=OUTBOUND&status=sending')).toContainEqual(
    expect.objectContaining({
      body: 'Lantern & Oak: You will receive no more messages from us. Reply START to receive them again.',
      source: 'system',
    }),
  )
})

test('an opt-out confirmation leaves within five minutes, after any message in flight, or not at all', async () => {
  await texting.lead(person)
  await texting.send(person)
  const [first] = await texting.begin()
  await texting.text(person, 'STOP')
  expect(await texting.begin()).toEqual([])
  await texting.taken(first?.attemptId ?? '', 'SM-first')
  expect(await texting.begin()).toMatchObject([{ kind: 'opt_out_confirmation' }])

  await texting.text('+13125550178', 'STOP')
  app.clock.advance(6 * 60_000)
  expect(await texting.begin()).toEqual([])
  const [late] = await messages('?status=blocked')
  expect(late).toMatchObject({ to: '+13125550178', compliance: { reason: 'opted_out' } })
})

test('START lifts only the opt-out recorded by STOP', async () => {
  await texting.text(person, 'STOP')
  app.clock.advance(1000)
  await texting.text(person, 'START')
  expect(await suppressions()).toMatchObject([{ kind: 'opted_out', lifted: true }])
  const subject = { type: 'phone' as const, value: person as never }
  await suppress(texting.workspace.ctx, [
    { subject, kind: 'opted_out', source: 'operator' },
    { subject, kind: 'litigator', source: 'operator' },
  ])
  await texting.text(person, 'START')
  expect((await suppressions()).filter(({ lifted }) => !lifted)).toHaveLength(2)
})

test('a second opt-out after START is confirmed too', async () => {
  const confirmations: number[] = []
  for (const word of ['STOP', 'START', 'STOP']) {
    app.clock.advance(1000)
    await texting.text(person, word)
    const begun = await texting.begin()
    confirmations.push(begun.length)
    for (const { attemptId } of begun) await texting.taken(attemptId)
  }
  expect(confirmations).toEqual([1, 0, 1])
})

test('the workspace sends no keyword responses if the provider sends its own', async () => {
  const live = await startTexting(app, { simulated: false })
  await live.text(person, 'STOP')
  await live.text(person, 'help')
  expect((await live.agent.get('/messages?direction=OUTBOUND')).body['data']).toEqual([])
  expect(await suppressions(live)).toMatchObject([{ kind: 'opted_out' }])
})

test('a wrong-number reply suppresses the number and gets no confirmation', async () => {
  const contact = await texting.lead(person)
  const waiting = await texting.send(person)
  await texting.text(person, 'Sorry, wrong number')
  expect(await suppressions()).toMatchObject([{ kind: 'reassigned_number', source: 'inbound' }])
  expect((await texting.agent.get(`/messages/${waiting}`)).body['status']).toBe('cancelled')
  expect((await texting.agent.get(`/contacts/${contact}`)).body['ai_auto_response']).toBe('paused')
  expect(await texting.begin()).toEqual([])
})

test('"Not interested" pauses the AI and asks on the timeline for a person to respond', async () => {
  const contact = await texting.lead(person)
  await texting.send(person)
  await texting.text(person, 'Not interested, thanks')
  expect(await suppressions()).toEqual([])
  expect((await texting.agent.get(`/contacts/${contact}`)).body['ai_auto_response']).toBe('paused')
  const { data } = (await texting.agent.get(`/contacts/${contact}/events`)).body
  expect(data.map(({ title }: { title: string }) => title)).toContain(
    'Is not interested: a person should respond',
  )
  expect(await texting.begin()).toHaveLength(1)
})

test('an erasure removes received texts, including earlier ones; a redelivery restores nothing', async () => {
  const repeated = () => texting.text(person, 'My name is Sam Reyes', { MessageSid: 'SM0456' })
  await repeated()
  const contact = (await texting.agent.post('/contacts', { first_name: 'Sam', phone: person })).body['id']
  await texting.text(person, 'I live at 48 Alder Court')
  expect((await texting.agent.delete(`/contacts/${contact}`)).status).toBe(200)
  await repeated()
  const kept = await messages()
  expect(kept.map(({ body, from, to }: Record<string, unknown>) => [body, from, to])).toEqual([
    [null, null, null],
    [null, null, null],
  ])
})

test.for<[string, Record<string, string>]>([
  ['no signature', {}],
  ['a wrong signature', { 'x-twilio-signature': 'd3Jvbmc=' }],
])(
  'callbacks with %s are rate-limited by network; signed ones from the same network are not',
  async ([, headers]) => {
    await using limited = await testApp({ anonymousRateLimit: 3 })
    const other = await startTexting(limited)
    const forged = async (connection: string) =>
      (await fetch(`${limited.url}/callbacks/twilio/${connection}/inbound`, { method: 'POST', headers }))
        .status
    const statuses: number[] = []
    for (let i = 0; i < 5; i++) statuses.push(await forged(other.connectionId))
    expect(statuses).toEqual([403, 403, 403, 429, 429])
    expect(await forged('cmi8h5d1w0004p8k3j6q2z9a7')).toBe(429)
    for (let i = 0; i < 10; i++) expect((await other.text(person, 'Hello')).status).toBe(200)
    expect(await forged(other.connectionId)).toBe(429)
  },
)
