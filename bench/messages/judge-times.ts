import { factsAt, moments, sends } from '@gable/server/src/modules/compliance/judge/arbitrary-sends.ts'
import { judge } from '@gable/server/src/modules/compliance/judge/judge.ts'
import fc from 'fast-check'
import { type Spread, spread } from '../statistics.ts'

const cases = fc.sample(
  moments.chain((now) => fc.record({ now: fc.constant(now), send: sends, facts: factsAt(now) })),
  { numRuns: 5000, seed: 1 },
)

/** CPU microseconds per verdict, in rounds of 5,000 different sends. */
export function timeJudge(rounds: number): Spread {
  const judgeAll = () => {
    const before = process.cpuUsage()
    for (const { now, send, facts } of cases) judge(null, send, facts, now)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / cases.length
  }
  judgeAll()
  return spread(Array.from({ length: rounds }, judgeAll))
}
