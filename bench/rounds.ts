import type { Request } from 'autocannon'
import { type Round, runRound } from './load-round.ts'
import { progress } from './progress.ts'
import { type Spread, spread } from './statistics.ts'

/** One server under one kind of request. */
export interface Subject {
  name: string
  url: string
  next: () => Request
}

export interface Case {
  title: string
  connections: number
  seconds: number
  subjects: Subject[]
}

/** A subject's rounds, in order. */
export type Measured = ReadonlyMap<string, readonly Round[]>

/** Lets the subjects take turns, so that what else the machine does falls on all of them; warms each up first. */
export async function takeTurns(
  { title, connections, seconds, subjects }: Case,
  rounds: number,
): Promise<Measured> {
  const measured = new Map<string, Round[]>(subjects.map(({ name }) => [name, []]))
  const warmUpSeconds = Math.max(1, Math.round(seconds / 3))
  for (const { url, next } of subjects) await runRound({ url, next, connections, seconds: warmUpSeconds })
  for (let round = 1; round <= rounds; round++) {
    for (const { name, url, next } of subjects) {
      const one = await runRound({ url, next, connections, seconds })
      measured.get(name)?.push(one)
      progress(
        `${title}, round ${round}, ${name}: ${one.requestsPerSecond.toFixed(0)}/s, p99 ${one.p99.toFixed(1)} ms`,
      )
    }
  }
  return measured
}

export const figure = (measured: Measured, subject: string, of: keyof Round): Spread =>
  spread((measured.get(subject) ?? []).map((round) => round[of]))

/** How one subject stands to another, each round beside the round that ran next to it. */
export function ratio(measured: Measured, subject: string, to: string, of: keyof Round): Spread {
  const others = measured.get(to) ?? []
  return spread((measured.get(subject) ?? []).map((round, i) => round[of] / (others[i]?.[of] ?? Number.NaN)))
}
