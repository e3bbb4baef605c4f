import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { ok, says } from '#test/egress/outcome.ts'
import { type Script, startReceiver } from '#test/egress/receiver.ts'
import { whatsAppAccount as account } from '#test/support/accounts.ts'
import type { Cleared } from '../../modules/compliance/public.ts'
import type { OutgoingMessage, ProviderAccount, SendOutcome } from '../../modules/messages/ports.ts'
import { phoneNumberIdOf } from './account.ts'
import { whatsAppCarrier } from './whatsapp-carrier.ts'

const now = new Date('2026-10-06T18:00:00Z')
const wamid = 'wamid.HBgLMTY0NjcwNDM1OTUVAgARGBI1RjQyNUE3NEYxMzAzMzQ5MkEA'

const message: OutgoingMessage = {
  attemptId: 'cmi8h5d1w0004p8k3j6q2z9a7',
  channel: 'whatsapp',
  from: '+15125550100',
  to: '+15125550123',
  subject: null,
  body: 'Is it still for sale? ¿Sí & no?',
  bodyHtml: null,
  template: null,
  email: null,
}

const cleared = { validUntil: Infinity } as Cleared<OutgoingMessage>

/** The adapter, whose account is at a receiver that runs this script, or at the address that `to` returns. */
async function connect(
  script: Script,
  { to = (origin: string) => origin, timeoutMs = 3_000, opened: outgoing = message } = {},
) {
  const opened = new AsyncDisposableStack()
  const receiver = opened.use(await startReceiver(script))
  const egress = opened.use(createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', timeoutMs }))
  const carrier = whatsAppCarrier({
    egress,
    mediaEgress: egress,
    open: () => outgoing,
    clock: { ...systemClock, now: () => now, elapsed: () => 0 },
    origin: () => 'https://gable.example.com',
    simulatedUrl: () => to(`http://127.0.0.1:${receiver.port}`),
  })
  return { carrier, receiver, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const responds = (status: string, body: unknown, headers = '') => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return says(ok(text, headers).replace('200 OK', status))
}

/** An error in Meta's documented format. */
const error = (code: number) => ({
  error: {
    message: `(#${code}) Meta says ${code}`,
    type: 'OAuthException',
    code,
    error_data: { messaging_product: 'whatsapp', details: 'To +15125550123: Is it still for sale?' },
    fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
  },
})
const takenWith = (more: object) => ({
  messaging_product: 'whatsapp',
  contacts: [{ input: '+15125550123', wa_id: '15125550123' }],
  messages: [{ id: wamid, ...more }],
})

const taken = { kind: 'taken', providerMessageId: wamid }
const unknown = { kind: 'unknown', message: expect.any(String) }
const later = {
  kind: 'later',
  failure: expect.objectContaining({ code: 'provider_unavailable' }),
  retryAfterMs: null,
}
test.for<[what: string, script: Script, outcome: object]>([
  ['taken', responds('200 OK', takenWith({})), taken],
  ['accepted', responds('200 OK', takenWith({ message_status: 'accepted' })), taken],
  ['held', responds('200 OK', takenWith({ message_status: 'held_for_quality_assessment' })), taken],
  ['another id', responds('200 OK', takenWith({ id: 'x' })), unknown],
  ['no JSON', responds('200 OK', 'fine'), unknown],
  ['an empty 200', responds('200 OK', ''), unknown],
  ['no messages', responds('200 OK', { messages: [null] }), unknown],
  ['a redirect', responds('302 Found', '', 'location: /\r\n'), unknown],
  ['429', responds('429 Too Many', ''), later],
  ['429 for a while', responds('429 No', error(4), 'retry-after: 3\r\n'), { ...later, retryAfterMs: 3000 }],
  ['500 without a code', responds('500 No', '<html>'), unknown],
  ['400 without a code', responds('400 Bad', { error: 'no' }), unknown],
  ['no HTTP', says('hello\r\n\r\n'), unknown],
  [
    'a reset',
    async ({ asked, socket }) => void (await asked().then(() => socket.resetAndDestroy())),
    unknown,
  ],
])('sending yields the right outcome for: %s', async ([, script, outcome]) => {
  await using meta = await connect(script)
  expect(await meta.carrier.send(account, cleared)).toEqual(outcome)
  expect(meta.receiver.requests).toBe(1)
})

test('a missing response leaves the outcome unknown', async () => {
  await using meta = await connect(({ asked }) => asked(), { timeoutMs: 300 })
  expect(await meta.carrier.send(account, cleared)).toEqual(unknown)
})

test('a message is sent later if no connection opens', async () => {
  for (const address of ['http://127.0.0.1:1', '']) {
    await using meta = await connect(() => {}, { to: () => address })
    expect(await meta.carrier.send(account, cleared)).toEqual(later)
  }
})

test('a failure message contains no phone number and no message text', async () => {
  const fault = error(131030)
  fault.error.message = '(#131030) Recipient +1 (512) 555-0123 not in allowed list'
  await using meta = await connect(responds('400 Bad', fault))
  const outcome = (await meta.carrier.send(account, cleared)) as SendOutcome & { kind: 'rejected' }
  expect(outcome.failure.message).toBe('(#131030) Recipient (number) not in allowed list')
})

/** The request that Meta gets for one call. */
async function requestOf(call: (carrier: ReturnType<typeof whatsAppCarrier>) => unknown, opened = message) {
  const { promise, resolve } = Promise.withResolvers<string>()
  await using meta = await connect(
    async ({ asked, say, socket }) => {
      let text = ''
      socket.on('data', (chunk) => void (text += chunk.toString()))
      await asked()
      resolve(text)
      say(ok('{}'))
    },
    { opened },
  )
  await call(meta.carrier)
  const [head = '', body = ''] = (await promise).split('\r\n\r\n')
  return { head, body: JSON.parse(body) as unknown }
}

test('the connection setting api_version selects the API version', async () => {
  const settings = { ...account.settings, api_version: 'v25.0' }
  const { head } = await requestOf((carrier) => carrier.send({ ...account, settings }, cleared))
  expect(head).toMatch(/^POST \/v25\.0\/15125550100\/messages HTTP/)
})

test('a text is posted to its number with the current token and names the attempt', async () => {
  const { head, body } = await requestOf((carrier) => carrier.send(account, cleared))
  expect(head).toMatch(/^POST \/v24\.0\/15125550100\/messages HTTP/)
  expect(head).toMatch(/authorization: Bearer EAAJ2\r\n/i)
  expect(head).toMatch(/content-type: application\/json/i)
  expect(body).toEqual({
    messaging_product: 'whatsapp',
    recipient_type: 'individual',
    to: '+15125550123',
    biz_opaque_callback_data: message.attemptId,
    type: 'text',
    text: { body: message.body },
  })
})

test.for([
  [[], {}],
  [
    ['Ada', '12 Oak St'],
    {
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ada' },
            { type: 'text', text: '12 Oak St' },
          ],
        },
      ],
    },
  ],
] as const)('a template is sent with its variables: %j', async ([variables, more]) => {
  const template = { name: 'showing_confirmed', language: 'en_US', variables }
  const { body } = await requestOf((carrier) => carrier.send(account, cleared), {
    ...message,
    body: null,
    template,
  })
  expect(body).toMatchObject({ type: 'template' })
  expect(body).toHaveProperty('template', {
    name: 'showing_confirmed',
    language: { code: 'en_US' },
    ...more,
  })
  expect(body).not.toHaveProperty('text')
})

test('a sender is connected with its own callback URL and verify token', async () => {
  const { head, body } = await requestOf((carrier) => carrier.connectSender?.(account, message.from))
  expect(head).toMatch(/^POST \/v24\.0\/15125550100 HTTP/)
  expect(body).toEqual({
    webhook_configuration: {
      override_callback_uri: `https://gable.example.com/callbacks/whatsapp/${account.id}/webhook`,
      verify_token: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  })
})

/** The outcome for an account that is not simulated, and the host names that were looked up. */
async function sendFor(settings: ProviderAccount['settings']) {
  const hosts: string[] = []
  await using egress = createEgress({
    allowHttp: 'none',
    allowPrivate: 'none',
    resolve: async (host) => {
      hosts.push(host)
      return []
    },
  })
  const carrier = whatsAppCarrier({
    egress,
    mediaEgress: egress,
    open: () => message,
    clock: { ...systemClock, now: () => now, elapsed: () => 0 },
    origin: () => '',
    simulatedUrl: () => '',
  })
  const real = { ...account, simulated: false, settings }
  const isConnected = await carrier.connectSender?.(real, message.from)
  return { outcome: await carrier.send(real, cleared), isConnected, hosts: new Set(hosts) }
}

test('the connection settings map a sender to its phone number ID', async () => {
  const settings = { '+15125550100': '106540352242922' }
  expect(phoneNumberIdOf({ ...account, simulated: false, settings }, message.from)).toBe('106540352242922')
  expect(await sendFor(settings)).toEqual({
    outcome: later,
    isConnected: false,
    hosts: new Set(['graph.facebook.com']),
  })
})

test.for([{}, { '+15125550199': '1' }, { '+15125550100': '../me' }, { '+15125550100': 1 }])(
  'without a valid phone number ID, nothing is sent: %j',
  async (settings) => {
    expect(await sendFor(settings)).toMatchObject({
      outcome: { kind: 'rejected', failure: { code: 'sender_not_registered', carrierCode: null } },
      isConnected: false,
      hosts: new Set(),
    })
  },
)

test('a message that was not cleared is not sent', async () => {
  await using egress = createEgress({ allowHttp: 'none', allowPrivate: 'none' })
  const carrier = whatsAppCarrier({
    egress,
    mediaEgress: egress,
    open: () => {
      throw new Error('It was opened before.')
    },
    clock: { ...systemClock, now: () => now, elapsed: () => 0 },
    origin: () => '',
    simulatedUrl: () => '',
  })
  expect(await carrier.send(account, cleared)).toEqual({ kind: 'unknown', message: 'It was opened before.' })
})
