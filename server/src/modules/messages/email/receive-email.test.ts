import { describe, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { app, mail, openEmailing } from '#test/scenes/messaging.ts'
import { office, sam, startEmailing } from '#test/support/emailing.ts'

openEmailing()

const only = async () => {
  const [message, ...others] = await mail.messages()
  expect(others).toEqual([])
  return orNotFound(message)
}
const conversation = async (id: unknown) => (await mail.agent.get(`/conversations/${String(id)}`)).body

test('an email creates a message, an event, and a timeline entry on the contact', async () => {
  const contact = await mail.lead(sam)
  await mail.receive({ From: 'Sam <Sam@Reyes.example>', Subject: 'Alder Court' }, 'Is it still for sale?')
  const message = await only()
  expect(message).toMatchObject({
    channel: 'EMAIL',
    status: 'received',
    source: 'inbound',
    from: sam,
    to: office,
    subject: 'Alder Court',
    body: 'Is it still for sale?',
    body_html: null,
    contact_id: contact,
    automatic: false,
  })
  expect(await conversation(message['conversation_id'])).toMatchObject({
    address: sam,
    contact_id: contact,
    last_inbound_at: expect.any(String),
  })
  expect(await mail.events('message.received')).toMatchObject([
    { id: message['id'], contact_id: contact, automatic: false },
  ])
  const { data } = (await mail.agent.get(`/contacts/${contact}/events`)).body
  expect(data.map(({ title }: { title: string }) => title)).toContain('Email received')
})

describe('an email belongs to', () => {
  test('no existing conversation if its token is forged or from another workspace', async () => {
    await mail.lead(sam)
    const { replyTo, conversationId } = await mail.sent(sam)
    const other = await startEmailing(app)
    await other.lead(sam)
    const foreign = await other.sent(sam)
    const forged = replyTo.replace(/.@/, (end) => (end === 'x@' ? 'y@' : 'x@'))
    for (const To of [forged, foreign.replyTo]) await mail.receive({ From: 'eve@evil.example', To }, 'Hello')
    const all = await mail.messages()
    expect(all).toHaveLength(2)
    for (const one of all) expect(one['conversation_id']).not.toBe(conversationId)
  })

  test('no conversation if it has more than one author', async () => {
    await mail.lead(sam)
    await mail.receive({ From: `${sam}, eve@evil.example` }, 'stop')
    expect(await only()).toMatchObject({ from: null, conversation_id: null, contact_id: null })
    expect(await mail.suppressions()).toEqual([])
  })

  test('no one, and is not recorded, if it reached no sender or is our own', async () => {
    await mail.lead(sam)
    const { messageId } = await mail.sent(sam)
    await mail.receive({ From: sam, To: 'private@lantern.example' }, 'Lunch?')
    await mail.receive({ From: office, Cc: sam }, 'A copy.')
    await mail.receive({ From: sam, 'Message-ID': messageId }, 'A copy from a list.')
    expect(await mail.messages()).toEqual([])
  })
})

describe('an automatic email is recorded without effect:', () => {
  test.for<[string, (bounceTo: string) => Record<string, string>]>([
    ['an out-of-office reply', () => ({ 'Auto-Submitted': 'auto-replied' })],
    ['a list', () => ({ 'List-Id': '<a.example>' })],
    ['bulk', () => ({ Precedence: 'bulk' })],
    ['an empty Return-Path', () => ({ 'Return-Path': '<>' })],
    ['a response to the envelope', (bounceTo) => ({ To: bounceTo })],
  ])('%s', async ([, headers]) => {
    const contact = await mail.lead(sam)
    const { replyTo, bounceTo, conversationId } = await mail.sent(sam)
    await mail.receive({ From: sam, To: replyTo, ...headers(bounceTo) }, 'STOP')
    expect(await only()).toMatchObject({
      automatic: true,
      conversation_id: conversationId,
      contact_id: contact,
    })
    expect(await conversation(conversationId)).toMatchObject({ last_inbound_at: null })
    expect(await mail.suppressions()).toEqual([])
    expect(await mail.events('message.received')).toMatchObject([{ automatic: true }])
  })
})

describe('a request by email:', () => {
  const quoted =
    '\n\nOn Mon, Mar 2, 2026 at 11:00 AM Office\n<office@lantern.example> wrote:\n\n> Unsubscribe: https://x.example\n'
  const optedOut = [{ kind: 'opted_out', channels: ['email'] }]
  const noContact = [
    ...optedOut,
    { kind: 'internal_dnc', channels: expect.arrayContaining(['sms', 'whatsapp', 'voice_auto']) },
  ]

  test.for<[text: string, subject: string, expected: object[]]>([
    ['Stop', 'Re: Your viewing', optedOut],
    ['Please unsubscribe me.', 'Re: Your viewing', optedOut],
    ['STOP\n\nSam Reyes\nReyes & Co.', 'Re: Your viewing', optedOut],
    ['', 'Unsubscribe', optedOut],
    ['Please do not contact me again.', 'Re: Your viewing', noContact],
    ['See you at 2.', 'Re: Your viewing', []],
    ['', 'Re: Unsubscribe', []],
    ['Start', 'Re: Your viewing', []],
    ["I can't stop smiling.", 'Re: Your viewing', []],
  ])('%j', async ([text, Subject, expected]) => {
    await mail.lead(sam)
    const { replyTo } = await mail.sent(sam)
    await mail.receive({ From: sam, To: replyTo, Subject }, text + quoted)
    expect(await mail.suppressions()).toEqual(expected.map((one) => expect.objectContaining(one)))
    // No confirmation is sent.
    expect(await mail.messages('?direction=OUTBOUND')).toHaveLength(1)
  })

  test('an opt-out cancels queued emails, blocks new ones, and pauses the AI', async () => {
    const contact = await mail.lead(sam)
    const draft = { channel: 'email', to: sam, subject: 'Again', body: 'Hello' }
    const waiting = await mail.agent.post('/messages', draft)
    await mail.receive({ From: sam }, 'Unsubscribe')
    expect(await mail.message(waiting.body['id'])).toMatchObject({ status: 'cancelled' })
    const { status, body } = await mail.agent.post('/messages', draft)
    expect([status, body['error'].reason]).toEqual([422, 'opted_out'])
    expect((await mail.agent.get(`/contacts/${contact}`)).body['ai_auto_response']).toBe('paused')
  })

  test('an opt-out from another address also covers the address our email went to', async () => {
    await mail.lead(sam)
    const { replyTo } = await mail.sent(sam)
    await mail.receive({ From: 'sam@work.example', To: replyTo }, 'stop')
    expect(await mail.suppressions()).toHaveLength(2)
    const { body } = await mail.agent.post('/messages', {
      channel: 'email',
      to: sam,
      subject: 'Again',
      body: 'Hello',
    })
    expect(body['error'].reason).toBe('opted_out')
  })

  test('START lifts no opt-out, since anyone can forge a sender address', async () => {
    await mail.lead(sam)
    await mail.receive({ From: sam }, 'stop')
    await mail.receive({ From: sam }, 'START')
    expect(await mail.suppressions()).toHaveLength(1)
  })
})

test('an email with characters a database cannot store is recorded without them', async () => {
  await mail.receive({ From: sam, Subject: 'a\0b' }, 'Nul \0, a bell\u0007.')
  expect(await only()).toMatchObject({ subject: 'ab', body: 'Nul , a bell.' })
})
