import type { Request } from 'autocannon'
import { cpuOf, cpuOfPostgres } from './cpu.ts'
import { type Round, runRound } from './load-round.ts'
import { progress } from './progress.ts'
import type { ServerProcess } from './server-process.ts'
import { type Spread, spread } from './statistics.ts'

/** One server under one kind of request. */
export interface Subject {
  name: string
  server: Pick<ServerProcess, 'url' | 'pid'>
  next: () => Request
}

/** A round with CPU microseconds per request. They are NaN without /proc. */
export interface MeasuredRound extends Round {
  serverMicros: number
  postgresMicros: number
  /** Of both together. */
  cpuMicros: number
}

export interface Case {
  title: string
  connections: number
  seconds: number
  subjects: Subject[]
  /** Pid of PostgreSQL's main process. Undefined if it is not visible from here. */
  postmaster: number | undefined
}

/** Each subject's rounds, in order. */
export type Measured = ReadonlyMap<string, readonly MeasuredRound[]>

/** Lets the subjects take turns, so that other load on the machine affects all of them. Warms up each one first. */
export async function takeTurns(
  { title, connections, seconds, subjects, postmaster }: Case,
  rounds: number,
): Promise<Measured> {
  const measured = new Map<string, MeasuredRound[]>(subjects.map(({ name }) => [name, []]))
  const warmUpSeconds = Math.max(1, Math.round(seconds / 3))
  for (const { server, next } of subjects)
    await runRound({ url: server.url, next, connections, seconds: warmUpSeconds })
  for (let round = 1; round <= rounds; round++) {
    for (const { name, server, next } of subjects) {
      const used = () =>
        postmaster === undefined
          ? [Number.NaN, Number.NaN]
          : [cpuOf(server.pid ?? 0), cpuOfPostgres(postmaster)]
      const [serverBefore = 0, postgresBefore = 0] = used()
      const one = await runRound({ url: server.url, next, connections, seconds })
      const [serverAfter = 0, postgresAfter = 0] = used()
      const serverMicros = ((serverAfter - serverBefore) * 1000) / one.requests
      const postgresMicros = ((postgresAfter - postgresBefore) * 1000) / one.requests
      measured
        .get(name)
        ?.push({ ...one, serverMicros, postgresMicros, cpuMicros: serverMicros + postgresMicros })
      progress(
        `${title}, round ${round}, ${name}: ${one.requestsPerSecond.toFixed(0)}/s, p99 ${one.p99.toFixed(1)} ms`,
      )
    }
  }
  return measured
}

export const figure = (measured: Measured, subject: string, of: keyof MeasuredRound): Spread =>
  spread((measured.get(subject) ?? []).map((round) => round[of]))

/** The ratio of one subject to another. Each round is compared with the round that ran next to it. */
export function ratio(measured: Measured, subject: string, to: string, of: keyof MeasuredRound): Spread {
  const others = measured.get(to) ?? []
  return spread((measured.get(subject) ?? []).map((round, i) => round[of] / (others[i]?.[of] ?? Number.NaN)))
}
