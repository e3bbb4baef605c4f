import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#test/support/database.ts'
import { type Counters, live } from './life.ts'
import { type World, openWorld } from './world.ts'

/** `GABLE_AUTOMATION_SEEDS` for more lives, `GABLE_AUTOMATION_SEED` to begin at another one. */
const seeds = Number(process.env['GABLE_AUTOMATION_SEEDS'] ?? 8)
const first = Number(process.env['GABLE_AUTOMATION_SEED'] ?? 1)

let world: World
beforeAll(async () => {
  world = await openWorld(await freshDatabase('automation_lives'))
})
afterAll(() => world[Symbol.asyncDispose]())

test(
  `in ${seeds} lives with faults, each step is taken once, in order, in its time, and none after an exit`,
  { timeout: 120_000 + seeds * 30_000 },
  async ({ annotate }) => {
    const counters: Counters = {}
    let hours = 0
    for (let seed = first; seed < first + seeds; seed++) {
      const lines: string[] = []
      try {
        hours += (await live(world, seed, { counters, trace: (line) => lines.push(line) })).ms / 3_600_000
      } catch (error) {
        throw new Error(
          `GABLE_AUTOMATION_SEED=${seed} GABLE_AUTOMATION_SEEDS=1: ${String(error)}\n${lines.slice(-60).join('\n')}`,
          { cause: error },
        )
      }
    }
    await annotate(`${seeds} seeds from ${first}, ${hours.toFixed(0)} hours: ${JSON.stringify(counters)}`)
    expect(counters['enrollments']).toBeGreaterThan(0)
  },
)
