import fc from 'fast-check'
import { generateNKeysBetween } from 'fractional-indexing'
import { expect, test } from 'vitest'
import { keyBetween } from './order.ts'

/** The position of each new deal, as a fraction of the existing deals. */
const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 200 })

test('a key always sorts between its neighbors and has at most 100 characters', () => {
  fc.assert(
    fc.property(fc.oneof(places, fc.constant(Array.from({ length: 700 }, () => 0.5))), (fractions) => {
      const keys: string[] = []
      for (const fraction of fractions) {
        const at = Math.round(fraction * keys.length)
        let key = keyBetween(keys[at - 1], keys[at])
        if (key === undefined) {
          keys.splice(0, keys.length, ...generateNKeysBetween(null, null, keys.length))
          key = keyBetween(keys[at - 1], keys[at]) ?? ''
        }
        keys.splice(at, 0, key)
        expect(key.length).toBeLessThanOrEqual(100)
      }
      expect(keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))).toEqual(keys)
      expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: 30 },
  )
})

test('keys between the same two neighbors grow to 100 characters, then run out', () => {
  let below = 'a1'
  const keys: string[] = []
  for (;;) {
    const key = keyBetween('a0', below)
    if (key === undefined) break
    keys.push(key)
    below = key
  }
  expect(keys.length).toBeGreaterThan(300)
  expect(keys.at(-1)).toHaveLength(100)
})
