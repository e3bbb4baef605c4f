import { afterAll, expect, test } from 'vitest'
import { plant } from './plant.ts'
import { plantedBugs } from './planted-bugs.ts'
import { type Life, simulate } from './simulate.ts'
import type { Subject } from './world.ts'

const patience = 1000

/** Which life was the first to go wrong, for each bug. */
const found: string[] = []

/** The first life that goes wrong; undefined when none does. */
function firstFault(subject: Subject): Life | undefined {
  for (let seed = 1; seed <= patience; seed++) {
    const life = simulate(seed, {}, subject)
    if (life.fault !== undefined) return life
  }
  return undefined
}

test('a copy without a bug lives as well as the product', () => {
  using planted = plant()
  for (let seed = 1; seed <= 20; seed++) expect(simulate(seed, {}, planted.subject).fault).toBe(undefined)
})

test.for(plantedBugs)(
  'the simulation finds it when $name',
  { timeout: 120_000 },
  async (bug, { annotate }) => {
    using planted = plant(bug)
    const life = firstFault(planted.subject)
    expect(life, `${bug.name}: survived ${patience} seeds`).toBeDefined()
    found.push(`${life?.seed} ${bug.name}`)
    await annotate(`seed ${life?.seed}: ${life?.fault?.message}`)
  },
)

afterAll(() => console.info(`The seed by which each planted bug was found:\n${found.join('\n')}`))
