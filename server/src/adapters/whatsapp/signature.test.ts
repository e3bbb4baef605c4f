import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isSignedByMeta } from './signature.ts'

test('published vectors of X-Hub-Signature-256 are accepted', () => {
  // https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries: the same header.
  const github = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
  expect(isSignedByMeta(["It's a Secret to Everybody"], github, Buffer.from('Hello, World!'))).toBe(true)
  // RFC 4231, test case 2.
  const rfc = 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
  expect(isSignedByMeta(['Jefe'], rfc, Buffer.from('what do ya want for nothing?'))).toBe(true)
})

const secret = fc.string({ minLength: 1, maxLength: 40 })
const body = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes))
const signatureOf = (key: string, bytes: Buffer) =>
  `sha256=${createHmac('sha256', key).update(bytes).digest('hex')}`

test('a signature covers the exact bytes, with either secret', () => {
  fc.assert(
    fc.property(secret, secret, body, (current, previous, bytes) => {
      for (const one of [current, previous])
        expect(isSignedByMeta([current, previous], signatureOf(one, bytes), bytes)).toBe(true)
      expect(
        isSignedByMeta([current], signatureOf(current, bytes), Buffer.concat([bytes, Buffer.of(0)])),
      ).toBe(false)
    }),
  )
})

test('any other signature is rejected', () => {
  const bytes = Buffer.from('{}')
  const right = signatureOf('b', bytes)
  const sha1 = `sha1=${createHmac('sha1', 'b').update(bytes).digest('hex')}`
  for (const wrong of ['', right.slice(7), right.toUpperCase(), `${right}0`, right.slice(0, -1), sha1, 'ü'])
    expect(isSignedByMeta(['b'], wrong, bytes), wrong).toBe(false)
  expect(isSignedByMeta([], right, bytes)).toBe(false)
  expect(isSignedByMeta(['c'], right, bytes)).toBe(false)
})
