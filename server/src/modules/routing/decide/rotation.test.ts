import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { agents, frozen, idOf } from '#test/support/routing.ts'
import type { Agent, Cursor } from './decision.ts'
import { type RotatingMethod, turnsOf } from './rotation.ts'

/** A pool that hands out leads one after another. */
function pooled(method: RotatingMethod, pool: Agent[], weights: Record<string, number> = {}) {
  const all = new Map(pool.map((agent) => [agent.id, agent]))
  let cursor: Cursor = {}
  let now = 1_000_000
  return {
    all,
    /** Returns who gets the next lead when only some agents are available. */
    pick(isThere: (agent: Agent) => boolean = () => true): string {
      const turn = { eligible: [...all.values()].filter(isThere), pool: [...all.values()], weights, cursor }
      const turns = turnsOf[method](frozen(turn))
      const [chosen = ''] = turns.order
      cursor = structuredClone(turns.cursor)
      const agent = all.get(chosen)
      if (agent !== undefined)
        all.set(chosen, { ...agent, open: agent.open + 1, last_assigned_at: (now += 1000) })
      return chosen
    },
  }
}

const countOf = (picks: readonly string[], id: string) => picks.filter((one) => one === id).length

describe('round_robin', () => {
  test('every agent gets a lead before any gets a second, from any start', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 40 }), (count, window) => {
        const { all, pick } = pooled('round_robin', agents(count))
        const picks = Array.from({ length: 80 }, () => pick())
        for (let from = 0; from + window <= picks.length; from++) {
          const counts = [...all.keys()].map((id) => countOf(picks.slice(from, from + window), id))
          expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 25 },
    )
  })

  test('it continues after the last pick, even if that agent has left', () => {
    const turn = { eligible: agents(3), pool: agents(3), weights: {} }
    const after = (number: number) => turnsOf.round_robin({ ...turn, cursor: { after: idOf(number) } }).order
    expect(after(1)).toEqual([2, 3, 1].map(idOf))
    expect(after(3)).toEqual([1, 2, 3].map(idOf))
    expect(after(9)).toEqual([1, 2, 3].map(idOf))
  })
})

test('least_recently_assigned prefers agents without a lead, then the longest wait, then the id', () => {
  const [ann, bob, cid, dee] = agents(4)
  const eligible = [
    { ...ann, last_assigned_at: 5 },
    { ...bob, last_assigned_at: 3 },
    { ...dee, last_assigned_at: null },
    { ...cid, last_assigned_at: null },
  ] as Agent[]
  const { order } = turnsOf.least_recently_assigned({ eligible, pool: eligible, weights: {}, cursor: {} })
  expect(order).toEqual([3, 4, 2, 1].map(idOf))
})

describe('least_loaded', () => {
  test('agents with the fewest leads come first, and ties go to the longest wait', () => {
    const [ann, bob, cid] = agents(3)
    const eligible = [
      { ...ann, open: 2 },
      { ...bob, open: 1, last_assigned_at: 9 },
      { ...cid, open: 1, last_assigned_at: 8 },
    ] as Agent[]
    const turns = turnsOf.least_loaded({ eligible, pool: eligible, weights: {}, cursor: {} })
    expect(turns.order).toEqual([3, 2, 1].map(idOf))
    expect(turns.cursor).toEqual({ lately: [idOf(3)] })
  })

  test('in as many picks as there are agents, no agent is picked more than twice', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 100 }), { minLength: 2, maxLength: 12 }), (loads) => {
        const pool = agents(loads.length).map((agent, i) => ({ ...agent, open: loads[i] ?? 0 }))
        const { all, pick } = pooled('least_loaded', pool)
        const picks = Array.from({ length: 120 }, () => pick())
        const window = Math.max(pool.length, 3)
        for (let from = 0; from + window <= picks.length; from++) {
          for (const id of all.keys()) {
            expect(countOf(picks.slice(from, from + window), id)).toBeLessThanOrEqual(2)
          }
        }
      }),
      { numRuns: 50 },
    )
  })

  test('loads converge', () => {
    const pool = agents(5).map((agent, i) => ({ ...agent, open: i * 10 }))
    const { all, pick } = pooled('least_loaded', pool)
    for (let i = 0; i < 400; i++) pick()
    const loads = [...all.values()].map(({ open }) => open)
    expect(Math.max(...loads) - Math.min(...loads)).toBeLessThanOrEqual(1)
  })

  test('remembers only as many picks as it needs, at most 500', () => {
    const turnWith = (count: number) =>
      turnsOf.least_loaded({
        eligible: agents(count),
        pool: agents(count),
        weights: {},
        cursor: { lately: Array.from({ length: 700 }, () => idOf(1)) },
      }).cursor.lately?.length
    expect([2, 9, 600].map(turnWith)).toEqual([3, 9, 500])
  })
})

describe('a returning agent is not flooded:', () => {
  test.for<RotatingMethod>(['round_robin', 'weighted', 'least_recently_assigned', 'least_loaded'])(
    '%s',
    (method) => {
      fc.assert(
        fc.property(
          fc.integer({ min: 3, max: 10 }),
          fc.integer({ min: 0, max: 9 }),
          fc.integer({ min: 0, max: 60 }),
          (count, seat, away) => {
            const traveller = idOf((seat % count) + 1)
            const { pick } = pooled(method, agents(count))
            for (let i = 0; i < 2 * count + seat; i++) pick()
            for (let i = 0; i < away; i++) expect(pick(({ id }) => id !== traveller)).not.toBe(traveller)
            const round = Array.from({ length: count }, () => pick())
            expect(countOf(round, traveller)).toBeLessThanOrEqual(2)
            expect(countOf(round, traveller)).toBeGreaterThanOrEqual(method === 'weighted' ? 0 : 1)
          },
        ),
        { numRuns: 150 },
      )
    },
  )
})

test('a rotation in a fallback keeps the cursor of the main method', () => {
  const cursor = frozen({ after: idOf(2), owed: { [idOf(1)]: 0.5 }, lately: [idOf(3)] })
  const turn = { eligible: agents(3), pool: agents(3), weights: {}, cursor }
  expect(turnsOf.round_robin(turn).cursor).toEqual({ ...cursor, after: idOf(3) })
  expect(turnsOf.least_loaded(turn).cursor).toMatchObject({ after: idOf(2), owed: cursor.owed })
  expect(turnsOf.weighted(turn).cursor).toMatchObject({ after: idOf(2), lately: cursor.lately })
  expect(turnsOf.least_recently_assigned(turn).cursor).toEqual(cursor)
})
