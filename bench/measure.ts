import type { Request } from 'autocannon'
import { postmasterOf } from './cpu.ts'
import type { Options } from './options.ts'
import { progress } from './progress.ts'
import type { Comparison } from './report.ts'
import { type Target, clearTraces, create, cycle, getOne, listFifty, prepareTargets } from './requests.ts'
import { type Measured, type Subject, takeTurns } from './rounds.ts'
import { type SearchTime, timeSearches } from './search-times.ts'
import { startServer } from './server-process.ts'

export interface Databases {
  small: string
  large: string
}

export interface Results {
  searches: SearchTime[]
  throughput: Comparison[]
  growth: Comparison[]
  latency: Comparison[]
  writes: Comparison[]
}

/** Names of the subjects, for the tables and the progress lines. */
const largeSubject = 'Gable, large'
const bare = 'bare, large'
const smallSubject = 'Gable, small'
const smallBare = 'bare, small'

type MakeRequest = (target: Target, turn: number) => Request

/** The whole benchmark. Writes come last, because the rows they leave behind would slow the searches. */
export async function measure({ small, large }: Databases, options: Options): Promise<Results> {
  const { rounds, seconds, connections, quick } = options
  for (const url of [small, large]) await clearTraces(url)
  const postmaster = await postmasterOf(large).catch(() => undefined)
  const searches = await timeSearches(large, quick ? 5 : 50)

  const smallTargets = await prepareTargets(small, ['contacts:read'])
  const largeTargets = await prepareTargets(large, ['contacts:read'])
  const writeTargets = await prepareTargets(large, ['contacts:write'])
  await using product = await startServer('product-server.ts', large)
  await using plain = await startServer('bare-server.ts', large)
  await using smallProduct = await startServer('product-server.ts', small)
  await using smallPlain = await startServer('bare-server.ts', small)

  const pair = (targets: Target[], request: MakeRequest): Subject[] => [
    { name: largeSubject, server: product, next: cycle(targets, request) },
    { name: bare, server: plain, next: cycle(targets, request) },
  ]
  const four = (request: MakeRequest): Subject[] => [
    ...pair(largeTargets, request),
    { name: smallSubject, server: smallProduct, next: cycle(smallTargets, request) },
    { name: smallBare, server: smallPlain, next: cycle(smallTargets, request) },
  ]
  const load = { connections, seconds, postmaster }
  const alone = { connections: 1, seconds: Math.ceil(seconds / 2), postmaster }
  const one = await takeTurns({ title: 'GET one', ...load, subjects: four(getOne) }, rounds)
  const list = await takeTurns({ title: 'list 50', ...load, subjects: four(listFifty) }, rounds)
  const oneAlone = await takeTurns(
    { title: 'GET one alone', ...alone, subjects: pair(largeTargets, getOne) },
    rounds,
  )
  const listAlone = await takeTurns(
    { title: 'list 50 alone', ...alone, subjects: pair(largeTargets, listFifty) },
    rounds,
  )
  const writes = await takeTurns({ title: 'create', ...load, subjects: pair(writeTargets, create) }, rounds)

  progress('clearing up')
  for (const url of [small, large]) await clearTraces(url)
  const beside = (title: string, measured: Measured, aim?: number): Comparison => ({
    title,
    measured,
    subject: largeSubject,
    to: bare,
    ...(aim === undefined ? {} : { aim }),
  })
  return {
    searches,
    throughput: [beside('GET one', one, 1), beside('list 50', list, 1.1)],
    growth: [
      { title: 'GET one', measured: one, subject: largeSubject, to: smallSubject, aim: 1 },
      { title: 'list 50', measured: list, subject: largeSubject, to: smallSubject, aim: 1 },
      { title: 'GET one, bare', measured: one, subject: bare, to: smallBare },
      { title: 'list 50, bare', measured: list, subject: bare, to: smallBare },
    ],
    latency: [beside('GET one', oneAlone), beside('list 50', listAlone)],
    writes: [beside('create with its event', writes, 0.6)],
  }
}
