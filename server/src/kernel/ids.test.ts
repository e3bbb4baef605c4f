import { expect, test } from 'vitest'
import { isId, newId } from './ids.ts'

test('ids have the form of a cuid and sort in the order of their creation, within a millisecond too', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) =>
    newId(new Date(1_780_000_000_000 + Math.floor(i / 5000))),
  )
  expect(ids.every(isId)).toBe(true)
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('ids of a moment sort in the order of their creation, even if others were made meanwhile', () => {
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
