import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase } from '#test/support/database.ts'
import { type Counters, live } from './life.ts'
import { type Kind, profiles } from './profiles.ts'
import { type World, openWorld } from './world.ts'

/**
 * Set `GABLE_AUTOMATION_SEEDS` for more lives, `GABLE_AUTOMATION_SEED` for another first seed, and vitest's `-t` to choose the kind of
 * lives. Most special kinds run a fifth as many lives as the plain one.
 */
const seeds = Number(process.env['GABLE_AUTOMATION_SEEDS'] ?? 60)
const first = Number(process.env['GABLE_AUTOMATION_SEED'] ?? 1)

/** What must happen at least once in many plain lives. Otherwise they prove less than they seem to. */
const required = `
  kill, error, stall, lost, enroll, reply, stop,
  book, stage, tag, owner, erase, publish, pause,
  resume, cancel, disable, enable, completed, exited replied, exited booked,
  exited opted_out, exited owner_changed, exited trash, exited conditions, exited erased, exited stopped, exited blocked,
  cancelled, entered, wait done, branch done, send done, send deferred, send blocked,
  timeout, withdraw,
  task done, note done, tag done, untag done, stage done, enroll done, stop done,
  stop skipped, deal, move, respond, migrate, responded, exited deal_won, webhook done`.split(',')

/** The plain kind, and those in which what they are about happens seldom. */
const many = new Set<Kind>(['plain', 'lateIds', 'pausedResponses'])

let world: World
beforeAll(async () => {
  world = await openWorld(await freshDatabase('automation_lives'))
})
afterAll(() => world[Symbol.asyncDispose]())

test.for(Object.keys(profiles) as Kind[])(
  'each step runs once, in order, on time, and never after an exit, despite faults: %s lives',
  { timeout: 120_000 + seeds * 30_000 },
  async (kind, { annotate }) => {
    const counters: Counters = {}
    const count = many.has(kind) ? seeds : Math.ceil(seeds / 5)
    let hours = 0
    for (let seed = first; seed < first + count; seed++) {
      const lines: string[] = []
      try {
        const options = { counters, profile: profiles[kind], trace: (line: string) => lines.push(line) }
        hours += (await live(world, seed, options)).ms / 3_600_000
      } catch (error) {
        const again = `GABLE_AUTOMATION_SEED=${seed} GABLE_AUTOMATION_SEEDS=1 vitest run server/test/automations/simulation -t '${kind} lives'`
        throw new Error(`${again}: ${String(error)}\n${lines.slice(-60).join('\n')}`, { cause: error })
      }
    }
    await annotate(
      `${count} ${kind} seeds from ${first}, ${hours.toFixed(0)} hours: ${JSON.stringify(counters)}`,
    )
    expect(hours).toBeGreaterThan(0)
    if (kind === 'migrations' && seeds >= 500) expect(counters['migrated']).toBeGreaterThan(0)
    if (kind === 'plain' && seeds >= 500)
      expect(required.map((name) => name.trim()).filter((name) => (counters[name] ?? 0) === 0)).toEqual([])
  },
)

test('a seed is deterministic', async () => {
  const [one, other]: [Counters, Counters] = [{}, {}]
  const lifeOf = (counters: Counters) => live(world, 7, { counters })
  expect(await lifeOf(one)).toEqual(await lifeOf(other))
  expect(one).toEqual(other)
})
