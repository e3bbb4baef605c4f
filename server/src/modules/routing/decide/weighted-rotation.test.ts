import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { idOf } from '#test/support/routing.ts'
import { turnsByWeight } from './weighted-rotation.ts'

const sharesOf = (weights: readonly number[]) => weights.map((weight, i) => ({ id: idOf(i), weight }))

/** The greatest deviation of any agent from their exact share, in leads, within this many picks. */
function greatestError(weights: readonly number[], picks: number): number {
  const shares = sharesOf(weights)
  const ids = shares.map(({ id }) => id)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const got = new Map<string, number>()
  let owed: Record<string, number> = {}
  let greatest = 0
  for (let pick = 1; pick <= picks; pick++) {
    const turns = turnsByWeight(shares, ids, owed)
    const [chosen = ''] = turns.order
    got.set(chosen, (got.get(chosen) ?? 0) + 1)
    owed = turns.owed
    for (const { id, weight } of shares)
      greatest = Math.max(greatest, Math.abs((got.get(id) ?? 0) - (pick * weight) / total))
  }
  return greatest
}

/** The same for smooth weighted round robin, as nginx implements it. */
function greatestErrorOfSmooth(weights: readonly number[]): number {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const credit = weights.map(() => 0)
  const got = weights.map(() => 0)
  let greatest = 0
  for (let pick = 1; pick <= total; pick++) {
    for (const [i, weight] of weights.entries()) credit[i] = (credit[i] ?? 0) + weight
    const chosen = credit.indexOf(Math.max(...credit))
    credit[chosen] = (credit[chosen] ?? 0) - total
    got[chosen] = (got[chosen] ?? 0) + 1
    for (const [i, weight] of weights.entries())
      greatest = Math.max(greatest, Math.abs((got[i] ?? 0) - (pick * weight) / total))
  }
  return greatest
}

describe('weighted', () => {
  test('every agent is always within one lead of their exact share', () => {
    const anyWeights = fc.array(fc.oneof(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 1000 })), {
      minLength: 1,
      maxLength: 12,
    })
    fc.assert(
      fc.property(anyWeights, fc.constantFrom(50, 200, 2000), (weights, picks) => {
        expect(greatestError(weights, picks)).toBeLessThan(1 + 1e-6)
      }),
      { numRuns: 60 },
    )
    expect(
      greatestError(
        Array.from({ length: 60 }, (_, i) => 1 + ((i * 7919) % 100)),
        2000,
      ),
    ).toBeLessThan(1)
  })

  test('smooth weighted round robin does not stay within one lead', () => {
    const weights = [5, 5, 5, 5, 1, 1, 1]
    expect(greatestErrorOfSmooth(weights)).toBeGreaterThan(1.04)
    expect(greatestError(weights, 23 * 20)).toBeLessThan(1)
  })

  test('the order lists the next turns', () => {
    const { order, owed } = turnsByWeight(sharesOf([1, 4, 2]), [0, 1, 2].map(idOf), {})
    expect(order).toEqual([1, 2, 0].map(idOf))
    expect(owed).toEqual({ [idOf(0)]: 1 / 7, [idOf(1)]: 4 / 7 - 1, [idOf(2)]: 2 / 7 })
  })

  test('absent agents are neither credited nor charged, and agents outside the pool are dropped', () => {
    const before = { [idOf(0)]: 0.25, [idOf(1)]: -0.5, [idOf(7)]: 0.25 }
    const { owed } = turnsByWeight([{ id: idOf(0), weight: 3 }], [0, 1].map(idOf), before)
    expect(owed).toEqual({ [idOf(0)]: 0.25, [idOf(1)]: -0.5 })
  })

  test('as agents join and leave, one is always chosen, and no balance exceeds one lead', () => {
    const weights = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 8 })
    const presence = fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 200, maxLength: 200 })
    fc.assert(
      fc.property(weights, presence, (all, masks) => {
        const shares = sharesOf(all)
        let owed: Record<string, number> = {}
        for (const mask of masks) {
          const present = shares.filter((_, i) => (mask >> i) & 1)
          if (present.length === 0) continue
          const turns = turnsByWeight(
            present,
            shares.map(({ id }) => id),
            owed,
          )
          expect(turns.order.toSorted()).toEqual(present.map(({ id }) => id))
          for (const amount of Object.values(turns.owed)) expect(Math.abs(amount)).toBeLessThanOrEqual(1)
          owed = turns.owed
        }
      }),
      { numRuns: 60 },
    )
  })

  test('a pick works if every balance in the rotation is negative', () => {
    const owed = { [idOf(0)]: -1, [idOf(1)]: -1, [idOf(2)]: 1 }
    const { order } = turnsByWeight(sharesOf([3, 1]), [0, 1, 2].map(idOf), owed)
    expect(order).toEqual([0, 1].map(idOf))
  })
})
