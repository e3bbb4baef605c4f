import { expect, test } from 'vitest'
import { Unavailable } from './errors.ts'
import { fairSlots } from './slots.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Enters many times without waiting. Returns the functions that give back what it has got so far. */
function crowd(slots: ReturnType<typeof fairSlots>, tenant: string, count: number) {
  const got: (() => void)[] = []
  const rejected: unknown[] = []
  for (let i = 0; i < count; i++)
    slots.enter(tenant).then(
      (leave) => void got.push(leave),
      (error: unknown) => void rejected.push(error),
    )
  return { got, rejected }
}

test('a tenant alone gets half of the places, and however many it asks for, others get theirs at once', async () => {
  const slots = fairSlots(20, 60_000)
  const big = crowd(slots, 'big', 400)
  await turn()
  expect(big.got).toHaveLength(10)
  const others = ['b', 'c', 'd', 'e'].map((tenant) => crowd(slots, tenant, 1))
  await turn()
  expect(others.map(({ got }) => got.length)).toEqual([1, 1, 1, 1])
})

test('a place that is given back goes to the waiting tenant that has the fewest, first come, first served', async () => {
  const slots = fairSlots(4, 60_000)
  const big = crowd(slots, 'big', 10)
  const small = crowd(slots, 'small', 3)
  await turn()
  expect([big.got.length, small.got.length]).toEqual([2, 1])
  small.got[0]?.()
  await turn()
  expect([big.got.length, small.got.length]).toEqual([2, 2])
  // Both have one now, and the other one has waited longer.
  big.got[0]?.()
  await turn()
  expect([big.got.length, small.got.length]).toEqual([3, 2])
  for (let i = 1; i < small.got.length; i++) {
    small.got[i]?.()
    await turn()
  }
  for (let i = 1; i < big.got.length; i++) {
    big.got[i]?.()
    await turn()
  }
  expect([big.got.length, small.got.length]).toEqual([10, 3])
})

test('a request that waits too long gets a 503, and leaves the queue', async () => {
  const slots = fairSlots(2, 20)
  const { got, rejected } = crowd(slots, 'one', 3)
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(rejected).toMatchObject([{ code: Unavailable.code }, { code: Unavailable.code }])
  got[0]?.()
  expect(await slots.enter('one')).toBeTypeOf('function')
})
