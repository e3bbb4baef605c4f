import fc from 'fast-check'
import { symmetric } from 'retell-sdk/lib/webhook_auth.js'
import { expect, test } from 'vitest'
import { isSignedByRetell } from './signature.ts'

const at = Date.parse('2026-10-06T18:00:00Z')
const key = fc.string({ minLength: 1, maxLength: 40 }).filter((text) => text.isWellFormed())
const body = fc.string({ unit: 'grapheme', maxLength: 200 })
const minute = 60_000

test('a signature by the current or previous key is accepted for five minutes', async () => {
  await fc.assert(
    fc.asyncProperty(
      key,
      key,
      body,
      fc.integer({ min: -6, max: 6 }),
      async (present, previous, text, minutes) => {
        for (const one of [present, previous]) {
          const signature = await symmetric.sign(text, one, at)
          const now = new Date(at + minutes * minute)
          const foreign = await symmetric.verify(text, one, signature, { timestamp: now.getTime() })
          expect(isSignedByRetell([present, previous], signature, Buffer.from(text), now)).toBe(foreign)
          expect(foreign).toBe(Math.abs(minutes) <= 5)
        }
      },
    ),
  )
})

test('another body, key, or signature format is rejected', async () => {
  const signature = await symmetric.sign('{"a":1}', 'key', at)
  const verify = (text: string, given: string, secret = 'key') =>
    isSignedByRetell([secret], given, Buffer.from(text), new Date(at))
  expect(verify('{"a":1}', signature)).toBe(true)
  const others = ['', 'v=,d=', signature.replace(/.$/, ''), signature.replace('v=', 'v=0'), `${signature}0`]
  for (const other of others) expect(verify('{"a":1}', other), other).toBe(false)
  expect([verify('{"a": 1}', signature), verify('{"a":1}', signature, 'kez')]).toEqual([false, false])
})
