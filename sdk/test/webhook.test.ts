import { createHmac } from 'node:crypto'
import { type WebhookEvent, verifyWebhook } from 'gable'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'

const secret = `whsec_${Buffer.from('a key of this test').toString('base64')}`
const other = `whsec_${Buffer.from('another key').toString('base64')}`
const body = '{"event":"contact.created","tenantId":"w","occurredAt":"…","data":{"event_id":"e","id":"c"}}'
const seconds = 1_795_205_560

beforeEach(() => vi.useFakeTimers({ now: seconds * 1000 }))
afterEach(() => void vi.useRealTimers())

const contract = (key: string, text = body) =>
  `sha256=${createHmac('sha256', key).update(text).digest('hex')}`
const standard = (key: string, at = seconds, text = body) =>
  `v1,${createHmac('sha256', Buffer.from(key.slice(6), 'base64'))
    .update(`e.${at}.${text}`)
    .digest('base64')}`

const standardHeaders = (...keys: string[]) => ({
  'webhook-id': 'e',
  'webhook-timestamp': String(seconds),
  'webhook-signature': keys.map((key) => standard(key)).join(' '),
})

const genuine: [string, Record<string, string>, string | string[]][] = [
  ['the signature of the contract', { 'X-Webhook-Signature': contract(secret) }, secret],
  [
    'its previous one',
    { 'x-webhook-signature': contract(other), 'x-webhook-signature-previous': contract(secret) },
    secret,
  ],
  ['Standard Webhooks', standardHeaders(secret), secret],
  ['Standard Webhooks with two secrets', standardHeaders(other, secret), secret],
  ['both', { ...standardHeaders(secret), 'x-webhook-signature': contract(secret) }, secret],
  ['a secret among several', standardHeaders(secret), [other, secret]],
]

describe('verifyWebhook', () => {
  test.for(genuine)(
    'accepts %s, in headers of Node.js and of fetch, as text and as bytes',
    async ([, headers, secrets]) => {
      for (const given of [headers, new Headers(headers)])
        for (const raw of [body, Buffer.from(body)])
          expect(await verifyWebhook(raw, given, secrets)).toEqual(JSON.parse(body))
    },
  )

  test.for<[string, string, Record<string, string | undefined>, string | string[]]>([
    ['no signature', body, {}, secret],
    ['an empty one', body, { 'x-webhook-signature': '' }, secret],
    ['a changed body', `${body} `, { 'x-webhook-signature': contract(secret) }, secret],
    ['a changed body, with Standard Webhooks', `${body} `, standardHeaders(secret), secret],
    ['another secret', body, standardHeaders(other), secret],
    ['another ID', body, { ...standardHeaders(secret), 'webhook-id': 'f' }, secret],
    ['another time', body, { ...standardHeaders(secret), 'webhook-timestamp': String(seconds + 1) }, secret],
    [
      'another version',
      body,
      { ...standardHeaders(secret), 'webhook-signature': standard(secret).replace('v1', 'v2') },
      secret,
    ],
    ['no Base64', body, { ...standardHeaders(secret), 'webhook-signature': 'v1,!' }, secret],
    ['no hex', body, { 'x-webhook-signature': 'sha256=zz' }, secret],
    ['an undefined header', body, { 'x-webhook-signature': undefined }, secret],
    ['no secrets', body, standardHeaders(secret), []],
    ['an empty secret', body, { 'x-webhook-signature': contract('') }, ''],
    ['an empty key', body, standardHeaders('whsec_'), 'whsec_'],
    // The time of a replayed delivery must not be avoided by adding the other signature.
    [
      'a wrong standard signature beside a right one',
      body,
      { ...standardHeaders(other), 'x-webhook-signature': contract(secret) },
      secret,
    ],
  ])('rejects %s', async ([, raw, headers, secrets]) => {
    await expect(verifyWebhook(raw, headers, secrets)).rejects.toMatchObject({ code: 'invalid_signature' })
  })

  test.for([
    [300, undefined, true],
    [301, undefined, false],
    [-301, undefined, false],
    [20, 10, false],
  ] as const)(
    'a delivery that is %i seconds old, with the tolerance %s: %s',
    async ([age, tolerance, isAccepted]) => {
      vi.setSystemTime((seconds + age) * 1000)
      const options = tolerance === undefined ? {} : { tolerance }
      const verifying = verifyWebhook(body, standardHeaders(secret), secret, options)
      if (isAccepted) expect(await verifying).toEqual(JSON.parse(body))
      else await expect(verifying).rejects.toMatchObject({ code: 'webhook_expired' })
    },
  )

  test('a timestamp that is not a number is not in time', async () => {
    const headers = { ...standardHeaders(secret), 'webhook-timestamp': 'x', 'webhook-signature': '' }
    const signature = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
      .update(`e.x.${body}`)
      .digest('base64')
    const verifying = verifyWebhook(body, { ...headers, 'webhook-signature': `v1,${signature}` }, secret)
    await expect(verifying).rejects.toMatchObject({ code: 'webhook_expired' })
  })
})

test('the event narrows the data', () => {
  /** Compiles only if each event has its own data. */
  const describeEvent = (event: WebhookEvent): string => {
    if (event.event === 'contact.stage_changed') return `${event.data.from} → ${event.data.to}`
    // @ts-expect-error -- other events have no such member
    return event.event === 'contact.created' ? event.data.from : event.event
  }
  expect(
    describeEvent(JSON.parse('{"event":"contact.stage_changed","data":{"from":"LEAD","to":"SPHERE"}}')),
  ).toBe('LEAD → SPHERE')
})
