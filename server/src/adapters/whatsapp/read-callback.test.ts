import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { whatsAppAccount } from '#test/support/accounts.ts'
import type { ProviderAccount } from '../../modules/messages/ports.ts'
import { contact, failed, messages, metadata, received, reported, webhook } from './payloads.fixtures.ts'
import { readWhatsAppCallback } from './read-callback.ts'

const account: ProviderAccount = { ...whatsAppAccount, simulated: false }
const attemptId = 'cmi8h5d1w0004p8k3j6q2z9a7'
const url = `https://gable.example.com/callbacks/whatsapp/${account.id}/webhook`

const post = (body: string | Buffer, { secret = 'app-secret', to = account, header = '' } = {}) => {
  const signature = header || `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
  const headers = { 'x-hub-signature-256': signature }
  return readWhatsAppCallback(to, { method: 'POST', url, path: 'webhook', headers, body: Buffer.from(body) })
}
const read = (...values: unknown[]) => post(JSON.stringify(webhook(...values)))

/** The file in a message of Meta’s. */
function filesOf(message: object) {
  const { type = '' } = message as { type?: string }
  const { [type]: content } = message as Record<
    string,
    { id?: string; mime_type?: string; filename?: string }
  >
  if (content?.mime_type === undefined) return {}
  return { media: [{ source: content.id, contentType: content.mime_type, name: content.filename ?? null }] }
}

test.for(messages)('an inbound webhook is read: %s', async ([, message, words]) => {
  const expected = {
    providerMessageId: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgASGBQzQQ==',
    channel: 'whatsapp',
    from: '+16505551234',
    to: '+15550783881',
    subject: null,
    body: words,
    bodyHtml: null,
    name: 'Sheena Nelson',
    receivedAt: new Date('2025-02-12T00:43:44Z'),
    providerResponds: false,
    ...(['button', 'interactive'].includes(String((message as { type?: string }).type)) && { tapped: true }),
    ...filesOf(message),
  }
  expect(await read(received(message))).toEqual({
    statuses: [],
    messages: words === undefined ? [] : [expected],
    response: null,
  })
})

test.for([
  [
    {},
    [
      {
        channel: 'whatsapp',
        from: '+16505551234',
        to: '+15550783881',
        wanted: false,
        at: new Date('2025-02-12T00:43:44Z'),
      },
    ],
  ],
  [{ value: 'resume' }, [expect.objectContaining({ wanted: true })]],
  [{ value: 'STOP' }, [expect.objectContaining({ wanted: false })]],
  [{ value: 'later' }, undefined],
  [{ category: 'utility_messages' }, undefined],
  [{ wa_id: 'x' }, undefined],
] as const)('a choice about marketing is read: %j', async ([change, preferences]) => {
  const choice = {
    wa_id: '16505551234',
    detail: 'User requested to stop marketing messages',
    category: 'marketing_messages',
    value: 'stop',
    timestamp: 1739321024,
  }
  const value = { ...received({}), messages: undefined, user_preferences: [{ ...choice, ...change }] }
  const body = {
    object: 'whatsapp_business_account',
    entry: [{ id: '1', changes: [{ field: 'user_preferences', value }] }],
  }
  expect((await post(JSON.stringify(body)))?.preferences).toEqual(preferences)
})

test('a sender with a hidden number has no number but keeps the name', async () => {
  const hidden = {
    profile: { name: 'Sheena Nelson', username: 'sheena' },
    user_id: 'US.13491208655302741918',
  }
  const message = { from: undefined, from_user_id: hidden.user_id, type: 'text', text: { body: 'Hi' } }
  expect((await read(received(message, [hidden])))?.messages).toMatchObject([
    { from: null, name: 'Sheena Nelson', body: 'Hi' },
  ])
  expect((await read(received({ ...message, from: hidden.user_id }, [])))?.messages).toMatchObject([
    { from: null, name: null },
  ])
})

test('each message gets the name of its own sender', async () => {
  const other = { profile: { name: 'Ada' }, wa_id: '16505550000' }
  const one = { type: 'text', text: { body: 'Hi' }, timestamp: '1739321024' }
  const all = ['16505550000', '16505551234', '16505559999'].map((from, i) => ({
    ...one,
    from,
    id: `wamid.${i}`,
  }))
  const value = { messaging_product: 'whatsapp', metadata, contacts: [contact, other], messages: all }
  expect((await read(value))?.messages.map(({ name }) => name)).toEqual(['Ada', 'Sheena Nelson', null])
})

test.for(['sent', 'delivered', 'read'] as const)('status %s is reported', async (status) => {
  const pricing = { billable: true, pricing_model: 'PMP', category: 'utility', type: 'regular' }
  expect((await read(reported({ status, biz_opaque_callback_data: attemptId, pricing })))?.statuses).toEqual([
    {
      attemptId,
      providerMessageId: 'wamid.HBgLMTY1MDM4Nzk0MzkVAgARGBI4Mg==',
      status,
      failure: null,
      at: new Date('2025-06-15T23:27:53Z'),
    },
  ])
})

test.for([
  [131026, 'recipient_unreachable'],
  [131047, 'window_closed'],
  [131050, 'recipient_opted_out'],
  [131049, 'filtered'],
  [131048, 'filtered'],
  [132015, 'template_rejected'],
  [131031, 'sender_not_registered'],
  [130429, 'provider_unavailable'],
  [131000, 'provider_unavailable'],
  [190, 'credentials_rejected'],
  [131042, 'rejected'],
] as const)('a failure with code %s is reported as %s', async ([code, reason]) => {
  expect((await read(reported(failed(code, 'Title for +1 650 555 1234'))))?.statuses).toMatchObject([
    {
      attemptId: null,
      status: 'failed',
      failure: { code: reason, carrierCode: String(code), message: 'Title for (number)' },
    },
  ])
})

test('a failure without a code is "rejected", and other statuses report nothing', async () => {
  expect((await read(reported({ status: 'failed' })))?.statuses).toMatchObject([
    { failure: { code: 'rejected', carrierCode: null, message: 'Meta error' } },
  ])
  for (const status of ['deleted', 'warning', 'played', '', 7])
    expect((await read(reported({ status })))?.statuses).toEqual([])
})

test('several messages and statuses in one webhook are read in order', async () => {
  const text = (body: string) => received({ type: 'text', text: { body } })
  const report = await read(text('One'), reported({ status: 'sent' }, { status: 'delivered' }), text('Two'))
  expect(report?.messages.map(({ body }) => body)).toEqual(['One', 'Two'])
  expect(report?.statuses.map(({ status }) => status)).toEqual(['sent', 'delivered'])
  const { entry, ...rest } = webhook(text('One'))
  expect((await post(JSON.stringify({ ...rest, entry: [...entry, ...entry] })))?.messages).toHaveLength(2)
})

test('webhooks about other topics are ignored', async () => {
  const [entry] = webhook({ event: 'APPROVED' }).entry
  for (const field of ['message_template_status_update', 'account_update', 'smb_message_echoes', undefined]) {
    const body = { entry: [{ ...entry, changes: [{ value: received({ type: 'text' }), field }] }] }
    expect(await post(JSON.stringify(body))).toEqual({ statuses: [], messages: [], response: null })
  }
  const errors = [{ code: 130429, title: 'Rate limit hit' }]
  expect((await read({ messaging_product: 'whatsapp', metadata, errors }))?.messages).toEqual([])
})

test('either app secret verifies a signature; the access token or an empty secret does not', async () => {
  const body = JSON.stringify(webhook())
  for (const secret of ['app-secret', 'previous-app-secret'])
    expect(await post(body, { secret })).toBeDefined()
  for (const secret of ['EAAJ2', 'EAAJ2 app-secret', 'other', ''])
    expect(await post(body, { secret })).toBeUndefined()
  expect(await post(body, { header: 'sha256=' })).toBeUndefined()
  const bare = { ...account, secrets: ['EAAJ2'] as const }
  for (const secret of ['', 'EAAJ2', 'undefined'])
    expect(await post(body, { to: bare, secret })).toBeUndefined()
})

test('a signature covers the bytes as sent, with or without escapes', async () => {
  const text = JSON.stringify(webhook(received({ type: 'text', text: { body: '¿Sí? 🏡' } })))
  const escaped = text.replaceAll(
    /[^\0-~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  for (const body of [text, escaped])
    expect((await post(body))?.messages).toMatchObject([{ body: '¿Sí? 🏡' }])
  expect(
    await post(text, {
      header: `sha256=${createHmac('sha256', 'app-secret').update(escaped).digest('hex')}`,
    }),
  ).toBe(undefined)
})

const verifyToken = (secret = 'app-secret') => createHmac('sha256', secret).update(account.id).digest('hex')
const get = (query: Record<string, string>, to = account) =>
  readWhatsAppCallback(to, {
    method: 'GET',
    url: `${url}?${new URLSearchParams(query)}`,
    path: 'webhook',
    headers: {},
    body: Buffer.alloc(0),
  })
const verification = (token: string) => ({
  'hub.mode': 'subscribe',
  'hub.challenge': '1158201444',
  'hub.verify_token': token,
})

test('the challenge is returned only for the right verify token', async () => {
  for (const secret of ['app-secret', 'previous-app-secret'])
    expect(await get(verification(verifyToken(secret)))).toEqual({
      statuses: [],
      messages: [],
      response: { type: 'text/plain', body: '1158201444' },
    })
  for (const token of ['', verifyToken('other'), verifyToken(''), verifyToken('EAAJ2')])
    expect(await get(verification(token))).toBeUndefined()
  expect(await get({ ...verification(verifyToken()), 'hub.mode': 'unsubscribe' })).toBeUndefined()
  expect(
    await get(verification(verifyToken()), { ...account, id: 'cmi8h2k5p0009zq8r4t6w9x3y' }),
  ).toBeUndefined()
  expect(await get(verification(verifyToken('')), { ...account, secrets: ['EAAJ2'] })).toBeUndefined()
})

/** Arbitrary webhooks in Meta's shape, with anything in any place. */
const names = ['id', 'type', 'text', 'body', 'image', 'interactive', 'from', 'errors', 'profile', '__proto__']
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.dictionary(fc.constantFrom(...names), fc.jsonValue({ maxDepth: 2 })),
  fc.constantFrom(null, 'text', 'image', '__proto__', 'constructor', -1, 1e308, '99999999999', '\0'),
)
const nearly = (fields: string[]) =>
  fc.record(Object.fromEntries(fields.map((field) => [field, anything])), { requiredKeys: [] })
const list = (one: fc.Arbitrary<unknown>) => fc.oneof(fc.array(one, { maxLength: 3 }), anything)
const value = fc.record({
  metadata: fc.oneof(fc.constant(metadata), anything),
  contacts: list(nearly(['profile', 'wa_id', 'user_id'])),
  messages: list(nearly(['id', 'type', 'from', 'timestamp', 'text', 'image', 'interactive'])),
  statuses: list(nearly(['id', 'status', 'timestamp', 'errors', 'biz_opaque_callback_data'])),
})

test('reading a signed webhook never throws', async () => {
  let seen = 0
  await fc.assert(
    fc.asyncProperty(fc.oneof(value, anything), async (one) => {
      const report = await read(one)
      for (const { from, receivedAt } of report?.messages ?? []) {
        seen += 1
        expect(from ?? '+1000000').toMatch(/^\+[1-9]\d{6,14}$/)
        expect(receivedAt?.getTime()).not.toBeNaN()
      }
    }),
    { numRuns: 1_000 },
  )
  expect(seen).toBeGreaterThan(5)
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (body) => {
      expect(await post(body)).toMatchObject({ statuses: [], messages: [] })
    }),
  )
  expect(await post(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toMatchObject({ messages: [] })
  expect(await post(Buffer.from([0xff, 0xfe, 0x00]))).toMatchObject({ messages: [] })
})

test('an invalid URL verifies nothing', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (address) => {
      const callback = { method: 'GET', url: address, path: '', headers: {}, body: Buffer.alloc(0) } as const
      expect(await readWhatsAppCallback(account, callback)).toBeUndefined()
    }),
  )
})
