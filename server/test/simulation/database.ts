import type { Random } from '../../src/seed/random.ts'
import type { Counters } from './facts.ts'
import type { Timeline } from './timeline.ts'

type Reply<T> = (result: T | undefined) => void

/** The database as its callers see it. It can respond late, not at all, or without the result. */
export interface FaultyDatabase {
  outage(forMs: number): void
  slow(forMs: number, upToMs: number): void
  lossy(forMs: number, chance: number): void
  /**
   * Runs the statement after a delay and returns its result after another. Undefined means failure as far as the caller
   * knows: the statement may have taken effect, may take effect later, or never will. The statement receives whether
   * its caller will get the result.
   */
  call<T>(name: 'Claim' | 'Settle' | 'Release', statement: (delivered: boolean) => T, reply: Reply<T>): void
}

/** The longest that a statement runs, whether or not its caller is still waiting. */
const statementMs = 10_000

export function createFaultyDatabase({
  timeline: { now, at },
  random,
  count,
  trouble,
}: {
  timeline: Timeline
  random: Random
  count: (name: keyof Counters) => void
  trouble: (until: number) => void
}): FaultyDatabase {
  let awayUntil = 0
  let slowUntil = 0
  let slowMs = 0
  let lossyUntil = 0
  let lossChance = 0

  /** The delay before a statement takes effect, and the delay of its result. */
  const latency = () => random.integer(1, now() < slowUntil ? slowMs : 8)

  return {
    outage: (forMs) => void (awayUntil = now() + forMs),
    slow(forMs, upToMs) {
      slowUntil = now() + forMs
      slowMs = Math.min(upToMs, statementMs)
    },
    lossy(forMs, chance) {
      lossyUntil = now() + forMs
      lossChance = chance
    },
    call(name, statement, reply) {
      const before = latency()
      const after = latency()
      const loss =
        now() < lossyUntil && random.chance(lossChance) ? random.pick(['no', 'unknown', 'later']) : ''
      if (before + after > 100) {
        count(`slow${name}s`)
        trouble(now() + before + after)
      }
      if (loss !== '') {
        count(`${loss}${name}s`)
        trouble(now() + statementMs)
      }
      const fail = (afterMs: number) => at(now() + afterMs, () => reply(undefined))
      if (loss === 'no') return fail(before)
      if (loss === 'later') {
        fail(before)
        at(now() + random.integer(before, statementMs), () => now() < awayUntil || statement(false))
        return
      }
      at(now() + before, () => {
        if (now() < awayUntil) {
          count(`away${name}s`)
          return fail(random.integer(0, 3000))
        }
        const result = statement(loss === '')
        at(now() + after, () => reply(loss === 'unknown' ? undefined : result))
      })
    },
  }
}
