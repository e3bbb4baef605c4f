import { startCarrier } from '@gable/sandbox/start.ts'
import { signatureOf } from '@gable/sandbox/twilio/signature.ts'
import fc from 'fast-check'
import { validateRequest } from 'twilio/lib/webhooks/webhooks.js'
import { expect, test } from 'vitest'
import { systemClock } from '#kernel/clock.ts'
import { isSigned } from '../../src/adapters/twilio/signature.ts'
import { startSimulated } from './simulated.ts'

const taken = { kind: 'taken', providerMessageId: expect.stringMatching(/^SM[0-9a-f]{32}$/) }
const delivered = ['sent', 'sent', 'delivered']
const rejected = (code: string, carrierCode: string) => ({ kind: 'rejected', failure: { code, carrierCode } })
const later = { kind: 'later', failure: { code: 'provider_unavailable' } }
const unknown = { kind: 'unknown' }

/** By last two digits: the outcome, the reported statuses, and the failure code. */
const numbers: [suffix: string, outcome: object, statuses: string[], failure?: string][] = [
  ['00', taken, delivered],
  ['80', rejected('recipient_invalid', '21211'), []],
  ['81', rejected('recipient_opted_out', '21610'), []],
  ['82', taken, ['sent', 'sent', 'undelivered'], 'recipient_unreachable'],
  ['83', taken, ['sent', 'sent', 'undelivered'], 'recipient_invalid'],
  ['84', taken, ['sent', 'sent', 'undelivered'], 'recipient_invalid'],
  ['85', taken, ['sent', 'sent', 'undelivered'], 'filtered'],
  ['86', taken, ['sent', 'sent', 'undelivered'], 'sender_not_registered'],
  ['87', later, []],
  ['88', unknown, delivered],
  ['89', unknown, []],
  ['91', taken, []],
  ['92', taken, ['delivered', 'delivered', 'sent', 'sent', 'sent', 'sent']],
  ['93', taken, delivered],
]

test.for(numbers)(
  'a number ending in 555-01%s behaves the same in any area code',
  async ([suffix, outcome, statuses, failure]) => {
    await using carrier = await startSimulated({ deliveryMs: 25 })
    for (const area of ['212', '787']) {
      const to = `+1${area}55501${suffix}`
      expect(await carrier.send(to)).toMatchObject(outcome)
      const reports = () =>
        carrier.arrived
          .filter(({ path, form }) => path === `status/${carrier.attemptOf(to)}` && form['To'] === to)
          .map((one) => carrier.read(one)?.statuses[0])
      await carrier.until(() => reports().length >= statuses.length)
      expect(reports().map((one) => one?.status)).toEqual(statuses)
      expect(new Set(reports().map((one) => one?.attemptId)).size).toBeLessThan(2)
      expect(reports().find((one) => one?.failure)?.failure?.code).toBe(failure)
    }
  },
)

test('a message to 555-0190 gets no response and is not found', async () => {
  await using carrier = await startSimulated({ timeoutMs: 300 })
  const since = new Date()
  const to = '+15125550190'
  expect(await carrier.send(to)).toMatchObject(unknown)
  const sought = { attemptId: 'a', from: carrier.number, to, body: 'Hello', since }
  expect(await carrier.adapter.find(carrier.account, sought)).toBeUndefined()
})

test('a message to 555-0188 or 555-0191 is found; one to 555-0189 is not', async () => {
  await using carrier = await startSimulated()
  for (const [suffix, status] of [
    ['88', 'delivered'],
    ['91', 'delivered'],
    ['89', undefined],
  ] as const) {
    const to = `+151255501${suffix}`
    const since = new Date()
    await carrier.send(to)
    const sought = { attemptId: 'a', from: carrier.number, to, body: 'Hello', since }
    const find = () => carrier.adapter.find(carrier.account, sought)
    await expect.poll(async () => (await find())?.status, { timeout: 20_000 }).toBe(status)
    if (status !== undefined)
      expect(await find()).toMatchObject({ attemptId: 'a', providerMessageId: expect.any(String) })
    expect(await carrier.adapter.find(carrier.account, { ...sought, body: 'Another' })).toBeUndefined()
  }
})

test('the status of a text is read by its ID; a text that is not there has none', async () => {
  await using carrier = await startSimulated()
  const to = '+15125550191'
  const since = new Date()
  await carrier.send(to)
  const sought = { attemptId: 'a', from: carrier.number, to, body: 'Hello', since }
  await expect
    .poll(async () => (await carrier.adapter.find(carrier.account, sought))?.status, { timeout: 20_000 })
    .toBe('delivered')
  const sid = (await carrier.adapter.find(carrier.account, sought))?.providerMessageId ?? ''
  expect(await carrier.adapter.readStatus?.(carrier.account, sid)).toEqual({
    attemptId: null,
    providerMessageId: sid,
    status: 'delivered',
    failure: null,
    at: null,
  })
  expect(await carrier.adapter.readStatus?.(carrier.account, 'SM0')).toBeUndefined()
})

test('555-0193 replies STOP to the number that wrote', async () => {
  await using carrier = await startSimulated()
  expect(await carrier.adapter.connectSender?.(carrier.account, carrier.number)).toBe(true)
  await carrier.send('+15125550193')
  await carrier.until(() => carrier.arrived.some(({ path }) => path === 'inbound'))
  const stop = carrier.arrived.find(({ path }) => path === 'inbound')
  expect(stop && carrier.read(stop)?.messages).toMatchObject([
    { channel: 'sms', from: '+15125550193', to: carrier.number, body: 'STOP', providerResponds: false },
  ])
})

test('a missed callback is repeated, and its message is listed', async () => {
  let missed = 0
  await using carrier = await startSimulated({ respond: () => ({ status: missed++ < 2 ? 500 : 200 }) })
  await carrier.adapter.connectSender?.(carrier.account, carrier.number)
  const since = new Date(Date.now() - 1_000)
  await carrier.send('+15125550193')
  const inbound = () => carrier.arrived.filter(({ path }) => path === 'inbound')
  await carrier.until(() => carrier.arrived.length >= 6 && inbound().length > 0)
  const ids = new Set(inbound().map(({ form }) => form['MessageSid']))
  const listed = await carrier.adapter.listInbound(carrier.account, since)
  expect(listed.map(({ providerMessageId, body }) => [providerMessageId, body])).toEqual([[...ids, 'STOP']])
  expect(await carrier.adapter.listInbound(carrier.account, new Date(Date.now() + 5_000))).toEqual([])
})

test('received texts are listed across all pages', async () => {
  await using carrier = await startSimulated()
  const bodies = Array.from({ length: 120 }, (_, i) => `Text ${i}`)
  await carrier.send('+15125550100')
  const phone = `${carrier.phoneUrl}/15125550123`
  for (const body of bodies)
    await fetch(phone, {
      method: 'POST',
      body: new URLSearchParams({ to: carrier.number, body }),
      redirect: 'manual',
    })
  const listed = await carrier.adapter.listInbound(carrier.account, new Date(Date.now() - 60_000))
  expect(listed.map(({ body }) => body)).toEqual(bodies.toReversed())
})

test('a forgotten message no longer shows its text', async () => {
  await using carrier = await startSimulated()
  const outcome = await carrier.send('+15125550123', 'The key is under the mat')
  const sid = outcome.kind === 'taken' ? (outcome.providerMessageId ?? '') : ''
  const page = () => fetch(`${carrier.phoneUrl}/15125550123/messages`).then((response) => response.text())
  expect(await page()).toContain('under the mat')
  expect(await carrier.adapter.forget?.(carrier.account, sid)).toBe(true)
  expect(await page()).not.toContain('under the mat')
  expect(await carrier.adapter.forget?.(carrier.account, 'SM0')).toBe(true)
})

test('an account keeps the token of its first request and finds only its own messages', async () => {
  await using carrier = await startSimulated()
  await carrier.send('+15125550123')
  const wrong = { ...carrier.account, secrets: ['another'] as const }
  expect(await carrier.send('+15125550123', 'Hello', { by: wrong })).toMatchObject({
    kind: 'later',
    failure: { code: 'credentials_rejected', carrierCode: '20003' },
  })
  await expect(carrier.adapter.listInbound(wrong, new Date())).rejects.toThrow('401')
  const other = { ...carrier.account, name: `AC${'0'.repeat(32)}` }
  expect(await carrier.send('+15125550123', 'Hello', { by: other })).toMatchObject(taken)
  const sought = {
    attemptId: 'a',
    from: carrier.number,
    to: '+15125550123',
    body: 'Hello',
    since: new Date(),
  }
  expect(await carrier.adapter.find({ ...other, name: `AC${'1'.repeat(32)}` }, sought)).toBeUndefined()
})

test('a callback of another account, or an altered one, is rejected', async () => {
  await using carrier = await startSimulated()
  await carrier.send('+15125550123')
  await carrier.until(() => carrier.arrived.length === 3)
  for (const one of carrier.arrived) {
    expect(carrier.read(one)).toBeDefined()
    expect(carrier.read(one, { ...carrier.account, secrets: ['another'] })).toBeUndefined()
    expect(carrier.read(one, { ...carrier.account, secrets: ['another', 'the-token'] })).toBeDefined()
    expect(carrier.read({ ...one, url: `${one.url}x` })).toBeUndefined()
    expect(carrier.read({ ...one, body: Buffer.concat([one.body, Buffer.from('&x=')]) })).toBeUndefined()
  }
})

test('Twilio’s library and the adapter accept what the simulated carrier signs', () => {
  const url = 'https://gable.example.com/callbacks/twilio/a/inbound'
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.dictionary(fc.string(), fc.string()), (token, parameters) => {
      const signature = signatureOf(token, `${url}#rc=5&rp=all`, parameters)
      expect(validateRequest(token, signature, url, parameters)).toBe(true)
      expect(isSigned([token], signature, url, new URLSearchParams(parameters))).toBe(true)
    }),
  )
})

test('only the latest messages are kept', async () => {
  await using carrier = await startSimulated({ maxMessages: 2 })
  for (const body of ['One', 'Two', 'Three']) await carrier.send('+15125550123', body)
  const page = await (await fetch(`${carrier.phoneUrl}/15125550123/messages`)).text()
  expect(['One', 'Two', 'Three'].map((body) => page.includes(body))).toEqual([false, true, true])
})

test('it listens on loopback only, and stops even with callbacks in progress', async () => {
  await expect(startCarrier({ host: '0.0.0.0', port: 0, now: systemClock.now })).rejects.toThrow('loopback')
  const carrier = await startSimulated({ respond: () => ({ status: 500 }) })
  await carrier.send('+15125550123')
  await carrier.until(() => carrier.arrived.length > 0)
  await carrier[Symbol.asyncDispose]()
})

test('its numbers are registered once the account has requested them', async () => {
  await using carrier = await startSimulated()
  const read = (kind: '10dlc' | 'tollfree', address: string) =>
    carrier.adapter.readRegistration?.({ ...carrier.account }, { kind, address })
  expect(await read('10dlc', carrier.number)).toEqual({})
  await carrier.adapter.connectSender?.(carrier.account, carrier.number)
  expect(await read('10dlc', carrier.number)).toEqual({
    brand: 'APPROVED',
    campaign: 'VERIFIED',
    number: 'REGISTERED',
  })
  expect(await read('tollfree', '+18335550100')).toEqual({ verification: 'TWILIO_APPROVED' })
  const unknownLogin = { ...carrier.account, secrets: ['another-token'] as const }
  await expect(
    carrier.adapter.readRegistration?.(unknownLogin, { kind: '10dlc', address: carrier.number }),
  ).rejects.toThrow('status 401')
})
