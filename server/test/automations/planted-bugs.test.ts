import { readFile } from 'node:fs/promises'
import { afterAll, expect, test } from 'vitest'
import { freshDatabase } from '#test/support/database.ts'
import { plant } from './plant.ts'
import type { PlantedBug } from './planted-bug.ts'
import { plantedBugs } from './planted-bugs.ts'
import { profiles } from './profiles.ts'

const patience = 1000

/** The long form looks for all bugs, the short one only for those that are found quickly. */
const isLong = process.env['GABLE_AUTOMATION_SEEDS'] !== undefined
const chosen = isLong ? plantedBugs : plantedBugs.filter(({ isSample }) => isSample)

/** The first failing seed of each bug. */
const found: string[] = []

/** The first seed with a violation, and the violation; undefined if there is none. */
async function firstViolation(bug: PlantedBug): Promise<{ seed: number; message: string } | undefined> {
  const { live, openWorld } = await plant(bug)
  await using world = await openWorld(await freshDatabase('automation_bugs'), false)
  for (let seed = 1; seed <= patience; seed++)
    try {
      await live(world, seed, { profile: profiles[bug.shows] })
    } catch (error) {
      if ((error as Error).name !== 'Violation') throw error
      return { seed, message: (error as Error).message }
    }
  return undefined
}

test.each(plantedBugs)(
  'the code that the bug replaces appears exactly once: $name',
  async ({ file, find }) => {
    const text = await readFile(new URL(`../../src/modules/${file}`, import.meta.url), 'utf8')
    expect(text.split(find)).toHaveLength(2)
  },
)

test('the changes that accompany a bug cause no violation by themselves', { timeout: 120_000 }, async () => {
  for (const { name, also, shows } of plantedBugs) {
    if (also === undefined) continue
    const { live, openWorld } = await plant({ name, ...also, shows })
    await using world = await openWorld(await freshDatabase('automation_bugs'))
    for (let seed = 1; seed <= 10; seed++)
      expect(await live(world, seed, { profile: profiles[shows] })).toBeDefined()
  }
})

test('a copy without a bug passes', { timeout: 120_000 }, async () => {
  const { live, openWorld } = await plant()
  await using world = await openWorld(await freshDatabase('automation_bugs'))
  for (let seed = 1; seed <= 3; seed++) expect(await live(world, seed)).toBeDefined()
})

test.for(chosen)('finds the bug: $name', { timeout: 900_000 }, async (bug, { annotate }) => {
  const violation = await firstViolation(bug)
  expect(violation, `${bug.name}: survived ${patience} seeds`).toBeDefined()
  found.push(`${violation?.seed} ${bug.name}`)
  await annotate(`seed ${violation?.seed}: ${violation?.message}`)
})

afterAll(() => console.info(`The seed by which each planted bug was found:\n${found.join('\n')}`))
