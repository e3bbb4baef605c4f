import fc from 'fast-check'
import { getExpectedTwilioSignature, validateRequest } from 'twilio/lib/webhooks/webhooks.js'
import { expect, test } from 'vitest'
import { isSigned } from './signature.ts'

const name = fc.oneof(
  fc.constantFrom('Body', 'From', 'To', 'MessageSid', 'body'),
  fc.string({ minLength: 1 }),
)
const value = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.constant('+15125550100'))
const parameters = fc.array(fc.tuple(name, value), { maxLength: 12 })
const token = fc.string({ minLength: 1, maxLength: 40 })
const url = fc
  .tuple(
    fc.constantFrom('https://', 'http://'),
    fc.oneof(fc.domain(), fc.ipV4(), fc.constant('[::1]')),
    fc.constantFrom('', ':443', ':80', ':8080'),
    fc.constantFrom('/callbacks/twilio/cmi8/status/cmj9', '/callbacks/twilio/cmi8/inbound', '/a?b=c%20d&e'),
  )
  .map((parts) => parts.join(''))

/** Parameters in the form that Twilio's library takes: a repeated name has a list of values. */
const asObject = (pairs: [string, string][]) =>
  Object.fromEntries(
    [...Map.groupBy(pairs, ([key]) => key)].map(([key, all]) => [
      key,
      all.length === 1 ? all[0]?.[1] : all.map(([, one]) => one),
    ]),
  )

test('a Twilio signature is accepted with either token', () => {
  fc.assert(
    fc.property(token, token, url, parameters, (primary, secondary, address, pairs) => {
      for (const one of [primary, secondary]) {
        const signature = getExpectedTwilioSignature(one, address, asObject(pairs))
        expect(validateRequest(one, signature, address, asObject(pairs))).toBe(true)
        expect(isSigned([primary, secondary], signature, address, new URLSearchParams(pairs))).toBe(true)
      }
    }),
  )
})

test('a request that differs from what Twilio signed is rejected', () => {
  const signed = { token: 'b'.repeat(32), url: 'https://gable.example.com/callbacks/twilio/a/inbound' }
  const pairs = { Body: 'Yes', From: '+15125550100' }
  const signature = getExpectedTwilioSignature(signed.token, signed.url, pairs)
  const accepts = (change: Partial<{ token: string; signature: string; url: string; pairs: object }>) => {
    const all = { ...signed, signature, pairs, ...change }
    return isSigned([all.token], all.signature, all.url, new URLSearchParams(Object.entries(all.pairs)))
  }
  expect(accepts({})).toBe(true)
  expect(accepts({ url: 'https://gable.example.com:443/callbacks/twilio/a/inbound' })).toBe(true)
  for (const change of [
    { token: 'c'.repeat(32) },
    { signature: '' },
    { signature: `${signature}=` },
    { signature: signature.toLowerCase() },
    { url: `${signed.url}/` },
    { url: signed.url.replace('https', 'http') },
    { url: signed.url.replace('gable', 'other') },
    { url: 'https://gable.example.com:8443/callbacks/twilio/a/inboun' },
    { pairs: { ...pairs, Body: 'No' } },
    { pairs: { ...pairs, More: '' } },
    { pairs: { From: pairs.From } },
  ])
    expect(accepts(change), JSON.stringify(change)).toBe(false)
})
