import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBody, readForm } from './form.ts'

const type = 'application/x-www-form-urlencoded'

test('what a standard encoder writes is read as it was, and repetitions are seen', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.string({ unit: 'binary', maxLength: 8 })),
        {
          maxLength: 64,
        },
      ),
      (pairs) => {
        const { values, repeated, unreadable, broken } = readForm(new URLSearchParams(pairs).toString())
        const names = pairs.map(([name]) => name)
        expect([broken, unreadable.size]).toEqual([false, 0])
        expect(new Set(repeated)).toEqual(new Set(names.filter((name, i) => names.indexOf(name) !== i)))
        for (const [name, value] of pairs) {
          if (repeated.has(name)) continue
          expect(values.get(name)).toBe(value === '' ? undefined : value)
        }
      },
    ),
  )
})

test('whatever comes is read or refused, and never throws', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('%', '=', '&', '+', 'a', '2', 'F', 'é', '\0', ';'), maxLength: 200 }),
      (text) => {
        const { values, broken } = readForm(text)
        const body = readBody(type, Buffer.from(text))
        // What is read strictly says what the lenient reading says.
        if (body === undefined) return
        expect(broken).toBe(false)
        expect(body).toEqual(values)
        expect([...new URLSearchParams(text)].filter(([, value]) => value !== '')).toEqual([...body])
      },
    ),
    { numRuns: 2000 },
  )
})

test('bytes of any kind are read or refused', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      const body = readBody(type, Buffer.from(bytes))
      for (const text of [...(body ?? [])].flat()) expect(text).not.toMatch(/[\0-\x1f\x7f-\x9f]/)
    }),
  )
})

test.each(['%', '%4', '%zz', '%ff', '%c0%80', '%ed%a0%80', 'a%'])('the value %s cannot be read', (value) => {
  const form = readForm(`a=1&b=${value}`)
  expect([[...form.unreadable], form.values.get('a'), form.broken]).toEqual([['b'], '1', false])
  expect(readForm(`${value}=1`).broken).toBe(true)
  expect(readBody(type, Buffer.from(`b=${value}`))).toBeUndefined()
})

test('of 65 parameters none is believed', () => {
  const form = (count: number) => readForm(Array.from({ length: count }, (_, i) => `p${i}=1`).join('&'))
  expect([form(64).broken, form(64).values.size]).toEqual([false, 64])
  expect([form(65).broken, form(65).values.size]).toEqual([true, 0])
})
