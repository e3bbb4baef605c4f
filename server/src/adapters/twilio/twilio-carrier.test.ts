import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { createEgress } from '#kernel/egress/create-egress.ts'
import { ok, says } from '#test/egress/outcome.ts'
import { type Script, startReceiver } from '#test/egress/receiver.ts'
import { twilioAccount as account } from '#test/support/accounts.ts'
import type { Cleared } from '../../modules/compliance/public.ts'
import type { OutgoingMessage, SendOutcome } from '../../modules/messages/ports.ts'
import { twilioCarrier } from './twilio-carrier.ts'

const now = new Date('2026-10-06T18:00:00Z')
const sid = `SM${'0123456789abcdef'.repeat(2)}`

const message: OutgoingMessage = {
  attemptId: 'cmi8h5d1w0004p8k3j6q2z9a7',
  channel: 'sms',
  from: '+15125550100',
  to: '+15125550123',
  subject: null,
  body: 'Is it still for sale? ¿Sí & no?',
  bodyHtml: null,
  template: null,
  email: null,
}

const cleared = (validUntil = Infinity) => ({ validUntil }) as Cleared<OutgoingMessage>

/** The adapter, whose account is at a receiver that runs this script, or at the address that `to` returns. */
async function connect(script: Script, { timeoutMs = 3_000, to = (origin: string) => origin } = {}) {
  const opened = new AsyncDisposableStack()
  const receiver = opened.use(await startReceiver(script))
  const egress = opened.use(createEgress({ allowHttp: 'loopback', allowPrivate: 'loopback', timeoutMs }))
  const carrier = twilioCarrier({
    egress,
    mediaEgress: egress,
    open: () => message,
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

const hangsUp =
  (said: string): Script =>
  async ({ asked, socket }) => {
    await asked()
    socket.end(said)
  }

const unavailable = expect.objectContaining({ code: 'provider_unavailable' })
const later = { kind: 'later', failure: unavailable, retryAfterMs: null }
const unknown = { kind: 'unknown', message: expect.any(String) }
const rejected = (code: string, carrierCode: number) => ({
  kind: 'rejected',
  failure: { code, carrierCode: String(carrierCode), message: expect.any(String) },
})
const denied = (carrierCode: string | null) => ({
  ...later,
  failure: { code: 'credentials_rejected', carrierCode, message: expect.any(String) },
})
const fault = (code: number) => ({ code, message: `Twilio says ${code}`, more_info: '', status: 400 })

test.for<[what: string, script: Script, outcome: object]>([
  ['taken', responds('201 Created', { sid, status: 'queued' }), { kind: 'taken', providerMessageId: sid }],
  ['taken, with another sid', responds('201 Created', { sid: 'x' }), unknown],
  ['taken, in no JSON', responds('201 Created', 'fine'), unknown],
  ['an empty 201', responds('201 Created', ''), unknown],
  ['a redirect', responds('302 Found', '', 'location: /\r\n'), unknown],
  ['429', responds('429 Too Many', fault(20429)), later],
  ['429 for a while', responds('429 Too Many', '', 'retry-after: 3\r\n'), { ...later, retryAfterMs: 3000 }],
  ['429 until a date', responds('429 Too Many', '', 'retry-after: Tue, 06 Oct 2026 18:00:03 GMT\r\n'), later],
  ['a full queue', responds('400 Bad', fault(30001)), later],
  ['wrong credentials', responds('401 No', fault(20003)), denied('20003')],
  ['a suspended account', responds('403 No', fault(20403)), denied('20403')],
  ['401 without a code', responds('401 No', ''), denied(null)],
  ['21211', responds('400 Bad', fault(21211)), rejected('recipient_invalid', 21211)],
  ['21614', responds('400 Bad', fault(21614)), rejected('recipient_invalid', 21614)],
  ['21610', responds('400 Bad', fault(21610)), rejected('recipient_opted_out', 21610)],
  ['30034', responds('400 Bad', fault(30034)), rejected('sender_not_registered', 30034)],
  ['another code', responds('400 Bad', fault(21617)), rejected('rejected', 21617)],
  ['400 without a code', responds('400 Bad', '<html>'), unknown],
  ['500', responds('500 No', fault(20500)), unknown],
  ['503', responds('503 No', ''), unknown],
  [
    'a reset',
    async ({ asked, socket }) => void (await asked().then(() => socket.resetAndDestroy())),
    unknown,
  ],
  ['half a response', hangsUp('HTTP/1.1 201 Created\r\ncontent-length: 99\r\n\r\n{"sid":"SM'), unknown],
  ['no HTTP', says('hello\r\n\r\n'), unknown],
])('sending yields the right outcome for: %s', async ([, script, outcome]) => {
  await using twilio = await connect(script)
  expect(await twilio.carrier.send(account, cleared())).toEqual(outcome)
  expect(twilio.receiver.requests).toBe(1)
})

test('a missing response leaves the outcome unknown; a slow one does not', async () => {
  await using hanging = await connect(({ asked }) => asked(), { timeoutMs: 300 })
  expect(await hanging.carrier.send(account, cleared())).toEqual(unknown)
  await using slow = await connect(async ({ asked, say }) => {
    await asked()
    await sleep(1_200)
    say(ok(JSON.stringify({ sid })))
  })
  expect(await slow.carrier.send(account, cleared())).toMatchObject({ kind: 'taken' })
})

test('a message is sent later if no connection opens', async () => {
  for (const address of ['http://127.0.0.1:1', '']) {
    await using twilio = await connect(() => {}, { to: () => address })
    expect(await twilio.carrier.send(account, cleared())).toEqual(later)
  }
})

test('a failure message contains no phone number', async () => {
  const text = "The 'To' number +1 (512) 555-0123 is not valid; neither is 15125550123."
  await using twilio = await connect(responds('400 Bad', { code: 21211, message: text }))
  const outcome = (await twilio.carrier.send(account, cleared())) as SendOutcome & { kind: 'rejected' }
  expect(outcome.failure.message).toBe("The 'To' number (number) is not valid; neither is (number).")
})

/** The request that Twilio gets for one send. */
async function requestOf(validUntil?: number): Promise<{ head: string; form: URLSearchParams }> {
  const { promise, resolve } = Promise.withResolvers<string>()
  await using twilio = await connect(async ({ asked, say, socket }) => {
    let text = ''
    socket.on('data', (chunk) => void (text += chunk.toString()))
    await asked()
    resolve(text)
    say(ok())
  })
  await twilio.carrier.send(account, cleared(validUntil))
  const [head = '', body] = (await promise).split('\r\n\r\n')
  return { head, form: new URLSearchParams(body) }
}

test('a message is posted to its account with a callback URL that names the attempt', async () => {
  const { head, form } = await requestOf()
  expect(head).toMatch(/^POST \/2010-04-01\/Accounts\/AC0123\/Messages\.json HTTP/)
  expect(head).toContain(`Basic ${Buffer.from('AC0123:token').toString('base64')}`)
  expect(Object.fromEntries(form)).toEqual({
    From: message.from,
    To: message.to,
    Body: message.body,
    StatusCallback: `https://gable.example.com/callbacks/twilio/${account.id}/status/${message.attemptId}#rc=5&rp=all`,
    ValidityPeriod: '36000',
  })
})

test.for([
  [5, '5'],
  [5.9, '5'],
  [3600, '3600'],
  [36_001, '36000'],
] as const)('Twilio keeps a message for the rest of its validity: %s s', async ([left, validity]) => {
  const { form } = await requestOf(now.getTime() + left * 1000)
  expect(form.get('ValidityPeriod')).toBe(validity)
})

test('a message valid for less than 5 seconds is not sent', async () => {
  await using twilio = await connect(() => {})
  for (const left of [4.9, 0, -10])
    expect(await twilio.carrier.send(account, cleared(now.getTime() + left * 1000))).toEqual(later)
  expect(twilio.receiver.requests).toBe(0)
})

test('a message that was not cleared is not sent', async () => {
  await using egress = createEgress({ allowHttp: 'none', allowPrivate: 'none' })
  const carrier = twilioCarrier({
    egress,
    mediaEgress: egress,
    open: () => {
      throw new Error('It was opened before.')
    },
    clock: { ...systemClock, now: () => now, elapsed: () => 0 },
    origin: () => '',
    simulatedUrl: () => '',
  })
  expect(await carrier.send(account, cleared())).toEqual({
    kind: 'unknown',
    message: 'It was opened before.',
  })
})

test.for([
  ['another number', { incoming_phone_numbers: [{ sid: 'PN1', phone_number: '+151255501001' }] }],
  ['no number', { incoming_phone_numbers: [] }],
  ['no list', {}],
  ['what is no number', { incoming_phone_numbers: [null, { sid: 7, phone_number: '+15125550100' }] }],
] as const)('a sender is not connected if its account has %s', async ([, list]) => {
  await using twilio = await connect(({ socket }) => void socket.resume().end(ok(JSON.stringify(list))))
  expect(await twilio.carrier.connectSender?.(account, message.from)).toBe(false)
})
