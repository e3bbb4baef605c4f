import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { expect, test } from 'vitest'
import { Money, fromCents, toCents } from './money.ts'
import { nullable } from './schemas.ts'

const takes = Compile(nullable(Money('A price.')))

test('every amount of cents is valid and converts back exactly', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 14n }), (cents) => {
      const amount = fromCents(cents)
      expect([takes.Check(amount), toCents(amount)]).toEqual([true, cents])
      expect(JSON.parse(JSON.stringify(amount))).toBe(amount)
    }),
  )
})

test.each([0.001, 1.005, 0.1 + 0.2, 1e-7, -1, 1e12 + 1, Number.NaN])('%d is not a valid amount', (amount) => {
  expect(takes.Check(amount)).toBe(false)
})

test.each([null, 0, 1e12, 0.01, 4_883_732.6, 999_999_999_999.99])('%j is a valid amount', (amount) => {
  expect(takes.Check(amount)).toBe(true)
})
