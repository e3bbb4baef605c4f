import { expect, test } from 'vitest'
import type { Counters } from './facts.ts'
import { simulate } from './simulate.ts'

/** Set `GABLE_SIMULATION_SEEDS` to run more seeds, and `GABLE_SIMULATION_SEED` to begin at another one. */
const seeds = Number(process.env['GABLE_SIMULATION_SEEDS'] ?? 500)
const first = Number(process.env['GABLE_SIMULATION_SEED'] ?? 1)

/** Everything that must have occurred at least once. Otherwise, the runs prove less than they seem to. */
const required = [
  'kill',
  'pause',
  'join',
  'outage',
  'stop',
  'slow',
  'lossy',
  'unsubscribe',
  'redeliver',
  'erase',
  'rest',
  'loseScope',
  'scopeLost',
  'retries',
  'delivered',
  'failed',
  'unreported',
  'fenced',
  'released',
  'awayClaims',
  'awaySettles',
  'noClaims',
  'noSettles',
  'laterClaims',
  'laterSettles',
  'unknownClaims',
  'unknownSettles',
  'slowClaims',
  'slowSettles',
  'idle',
  'woken',
  'allFull',
  'workspaceFull',
  'suspectsFull',
  'retriesByAnotherClock',
]

test(
  `in ${seeds} runs with faults, each delivery has one attempt at a time, never early, at most six`,
  { timeout: 60_000 + seeds * 100 },
  async ({ annotate }) => {
    const counters: Counters = {}
    let hours = 0
    for (let seed = first; seed < first + seeds; seed++) {
      const { ms, violation } = simulate(seed, counters)
      hours += ms / 3_600_000
      expect(
        violation,
        `GABLE_SIMULATION_SEED=${seed}: ${violation?.message}\n${violation?.trace.join('\n')}`,
      ).toBe(undefined)
    }
    await annotate(`${seeds} seeds from ${first}, ${hours.toFixed(0)} hours: ${JSON.stringify(counters)}`)
    if (seeds >= 500) expect(required.filter((name) => (counters[name] ?? 0) === 0)).toEqual([])
  },
)

test('a seed is deterministic', () => {
  const [one, other]: [Counters, Counters] = [{}, {}]
  expect(simulate(7, one)).toEqual(simulate(7, other))
  expect(one).toEqual(other)
})
