import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { batched } from './batch.ts'

test('calls made during a batch form the next one, in order, and each gets its own result', async () => {
  const batches: number[][] = []
  const double = batched<number, number>(
    async (items) => {
      batches.push(items)
      await setImmediate()
      return items.map((item) => item * 2)
    },
    { inFlight: 1, maxSize: 3 },
  )
  const first = [double(1), double(2)]
  await setImmediate()
  const rest = [3, 4, 5, 6].map(double)
  expect(await Promise.all([...first, ...rest])).toEqual([2, 4, 6, 8, 10, 12])
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]])
})

test('a failed batch fails only its own calls', async () => {
  const half = batched<number, number>(
    async (items) => {
      await setImmediate()
      if (items.includes(0)) throw new Error('zero')
      return items.map((item) => 1 / item)
    },
    { inFlight: 1, maxSize: 2 },
  )
  const outcomes = await Promise.allSettled([0, 1, 2, 4].map(half))
  expect(outcomes.map((outcome) => outcome.status)).toEqual([
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
})
