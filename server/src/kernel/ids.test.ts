import { expect, test } from 'vitest'
import { isId, newId } from './ids.ts'

test('ids are cuids that sort in creation order, even within a millisecond', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) =>
    newId(new Date(1_780_000_000_000 + Math.floor(i / 5000))),
  )
  expect(ids.every(isId)).toBe(true)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids of one timestamp sort in creation order, even when interleaved with others', () => {
  const [one, other] = [new Date(1_780_000_000_000), new Date(1_780_000_000_001)]
  const ids = Array.from({ length: 2000 }, (_, i) => newId(i % 2 === 0 ? one : other))
  expect(ids.toSorted()).toEqual([...ids.filter((_, i) => i % 2 === 0), ...ids.filter((_, i) => i % 2 === 1)])
})

test.each([
  '',
  'c',
  'C123456789012345678901234',
  `c${'a'.repeat(23)}`,
  `c${'a'.repeat(25)}`,
  `c${'a'.repeat(23)}é`,
])('%s is not an id', (text) => expect(isId(text)).toBe(false))
