import fc from 'fast-check'
import { expect, test } from 'vitest'
import { codePoint } from '#test/support/code-point.ts'
import { parseFormBody, parseForm } from './form.ts'

const type = 'application/x-www-form-urlencoded'

test('decodes a URL-encoded form to its original values and detects repeated parameters', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.tuple(fc.string({ unit: 'grapheme', maxLength: 6 }), fc.string({ unit: codePoint, maxLength: 8 })),
        {
          maxLength: 64,
        },
      ),
      (pairs) => {
        const { values, repeated, unreadable, malformed } = parseForm(new URLSearchParams(pairs).toString())
        const names = pairs.map(([name]) => name)
        expect([malformed, unreadable.size]).toEqual([false, 0])
        expect(new Set(repeated)).toEqual(new Set(names.filter((name, i) => names.indexOf(name) !== i)))
        for (const [name, value] of pairs) {
          if (repeated.has(name)) continue
          expect(values.get(name)).toBe(value === '' ? undefined : value)
        }
      },
    ),
  )
})

test('never throws, and reads what it accepts as URLSearchParams does', () => {
  let read = 0
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('%', '=', '&', '+', 'a', '2', 'F', 'é', '\0', ';'), maxLength: 200 }),
      (text) => {
        const { values, malformed } = parseForm(text)
        const body = parseFormBody(type, Buffer.from(text))
        // Whatever the strict parser accepts, a lenient parser reads the same way.
        if (body === undefined) return
        read += body.size
        expect(malformed).toBe(false)
        expect(body).toEqual(values)
        expect([...new URLSearchParams(text)].filter(([, value]) => value !== '')).toEqual([...body])
      },
    ),
    { numRuns: 2000 },
  )
  expect(read).toBeGreaterThan(30)
})

test('never throws on arbitrary bytes, and accepts no control characters', () => {
  const part = fc.constantFrom(
    'a=',
    'b=',
    'b',
    '&',
    '%00',
    '%0a',
    '%7F',
    '%c2%85',
    '%C3%A9',
    '%80',
    'é',
    '\r',
  )
  const bytes = fc.uint8Array({ maxLength: 3 })
  let read = 0
  fc.assert(
    fc.property(fc.array(fc.oneof({ weight: 9, arbitrary: part }, bytes), { maxLength: 8 }), (parts) => {
      const body = parseFormBody(type, Buffer.concat(parts.map((one) => Buffer.from(one as string))))
      read += body?.size ?? 0
      for (const text of [...(body ?? [])].flat()) expect(text).not.toMatch(/[\0-\x1f\x7f-\x9f]/)
    }),
    { numRuns: 2000 },
  )
  expect(read).toBeGreaterThan(5)
})

test.each(['%', '%4', '%zz', '%ff', '%c0%80', '%ed%a0%80', 'a%'])(
  'rejects a form with the malformed escape %s',
  (value) => {
    const form = parseForm(`a=1&b=${value}`)
    expect([[...form.unreadable], form.values.get('a'), form.malformed]).toEqual([['b'], '1', false])
    expect(parseForm(`${value}=1`).malformed).toBe(true)
    expect(parseFormBody(type, Buffer.from(`b=${value}`))).toBeUndefined()
  },
)

test('a form with 65 parameters is rejected', () => {
  const form = (count: number) => parseForm(Array.from({ length: count }, (_, i) => `p${i}=1`).join('&'))
  expect([form(64).malformed, form(64).values.size]).toEqual([false, 64])
  expect([form(65).malformed, form(65).values.size]).toEqual([true, 0])
})
