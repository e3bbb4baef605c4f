import { afterAll, expect, test } from 'vitest'
import { plant } from './plant.ts'
import { plantedBugs } from './planted-bugs.ts'
import { type Life, simulate } from './simulate.ts'
import type { Subject } from './world.ts'

const patience = 1000

/** The first failing seed for each bug. */
const found: string[] = []

/** Returns the first run with a violation; undefined if there is none. */
function firstViolation(subject: Subject): Life | undefined {
  for (let seed = 1; seed <= patience; seed++) {
    const life = simulate(seed, {}, subject)
    if (life.violation !== undefined) return life
  }
  return undefined
}

test('a copy without a bug passes', () => {
  using planted = plant()
  for (let seed = 1; seed <= 20; seed++) expect(simulate(seed, {}, planted.subject).violation).toBe(undefined)
})

test.for(plantedBugs)('finds the bug: $name', { timeout: 120_000 }, async (bug, { annotate }) => {
  using planted = plant(bug)
  const life = firstViolation(planted.subject)
  expect(life, `${bug.name}: survived ${patience} seeds`).toBeDefined()
  found.push(`${life?.seed} ${bug.name}`)
  await annotate(`seed ${life?.seed}: ${life?.violation?.message}`)
})

afterAll(() => console.info(`The seed by which each planted bug was found:\n${found.join('\n')}`))
