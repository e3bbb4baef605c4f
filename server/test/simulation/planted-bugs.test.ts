import { expect, test } from 'vitest'
import { plant } from './plant.ts'
import { plantedBugs } from './planted-bugs.ts'
import { simulate } from './simulate.ts'
import type { Subject } from './world.ts'

const patience = 1000

/** The first seed whose life goes wrong; undefined when none does. */
function firstFault(subject: Subject): number | undefined {
  for (let seed = 1; seed <= patience; seed++) {
    if (simulate(seed, {}, subject).fault !== undefined) return seed
  }
  return undefined
}

test('a copy without a bug lives as well as the product', () => {
  using planted = plant()
  for (let seed = 1; seed <= 20; seed++) expect(simulate(seed, {}, planted.subject).fault).toBe(undefined)
})

test.each(plantedBugs.map(({ name, ...bug }) => [name, { name, ...bug }] as const))(
  'the simulation finds it when %s',
  { timeout: 120_000 },
  async (_, bug) => {
    using planted = plant(bug)
    const seed = firstFault(planted.subject)
    expect(seed, `${bug.name} survived ${patience} seeds`).toBeDefined()
  },
)
