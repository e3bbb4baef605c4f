import { availableParallelism, cpus, totalmem } from 'node:os'
import { type Spread, spread } from '../statistics.ts'
import type { Pace } from './drain.ts'
import type { Idle } from './idle.ts'
import type { Latency } from './latency.ts'

/** A backlog, and the raw posts to compare with, round by round. */
export interface Drained {
  endpoints: number
  worker: Pace[]
  raw: Pace[]
}

export interface Results {
  /** A description of the database server. */
  server: string
  deliveries: number
  drained: readonly Drained[]
  latencies: readonly Latency[]
  idle: Idle | undefined
}

/** The page that is printed and saved. */
export const resultsPage = ({ server, deliveries, drained, latencies, idle }: Results): string =>
  `# Benchmark of webhooks

Made by \`npm run bench:webhooks\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${server}. Sender, receiver and database share this machine.
- The receiver is a process of its own that reads each request and responds 200 immediately.

${[backlogSection(deliveries, drained), latencySection(latencies), idle === undefined ? '' : idleSection(idle)].filter((text) => text !== '').join('\n')}`

const backlogSection = (deliveries: number, drained: readonly Drained[]) =>
  drained.length === 0
    ? ''
    : `## A backlog of ${count(deliveries)}

One process with the role \`worker\` claims, signs, sends and settles all of it; beside it undici's \`Pool.dispatch\` with 64 connections posts the same bytes with the same headers and signatures as often, without a database. In turns, ${drained[0]?.worker.length} rounds; medians with the least and the greatest. A single event that does not arrive fails the run. The aim is a ratio of 0.5.

| Endpoints | Deliveries/s | Raw posts/s | Ratio |
| --------: | -----------: | ----------: | ----: |
${drained.map(rateRow).join('\n')}

CPU time of one delivery and of one raw post, in µs. With sender, receiver and database on one machine, its cores divided by the sum are the most it can do. With the database and the receivers elsewhere, one worker process reaches what its one thread can do.

| Endpoints | PostgreSQL | Worker | Receiver | Sum | Raw sum | Deliveries/s, database elsewhere |
| --------: | ---------: | -----: | -------: | --: | ------: | -------------------------------: |
${drained.map(cpuRow).join('\n')}
`

const latencySection = (latencies: readonly Latency[]) =>
  latencies.length === 0
    ? ''
    : `## From the commit to the first attempt

${count(latencies[0]?.events ?? 0)} events of 90 responsive endpoints, at 200 events a second over 100 endpoints, 10 of which never respond; api and worker are processes of their own. Medians of ${latencies.length} runs.

| p50 ms | p99 ms | slowest ms |
| -----: | -----: | ---------: |
| ${median(latencies.map(({ p50 }) => p50))} | ${median(latencies.map(({ p99 }) => p99))} | ${median(latencies.map(({ slowest }) => slowest))} |

The aims are 100 ms and 2,000 ms.
`

const idleSection = ({ seconds, postgres, worker }: Idle) => `## Idle

A worker without anything to do, and its PostgreSQL, for ${seconds} s: ${percent(worker)} and ${percent(postgres)} of a core. The aim is 0.5 % together.
`

function rateRow({ endpoints, worker, raw }: Drained): string {
  const rates = worker.map((one) => one.perSecond)
  const beside = raw.map((one) => one.perSecond)
  const ratios = rates.map((one, round) => one / (beside[round] ?? Number.NaN))
  return `| ${count(endpoints)} | ${range(spread(rates))} | ${range(spread(beside))} | ${range(spread(ratios), two)} |`
}

function cpuRow({ endpoints, worker, raw }: Drained): string {
  const [postgres, sender, receiver] = (['postgres', 'sender', 'receiver'] as const).map((name) =>
    worker.map(({ cpu }) => cpu[name]),
  ) as [number[], number[], number[]]
  const elsewhere = 1_000_000 / spread(sender).median
  return `| ${count(endpoints)} | ${median(postgres)} | ${median(sender)} | ${median(receiver)} | ${median(worker.map(sumOf))} | ${median(raw.map(sumOf))} | ${count(elsewhere)} |`
}

export const sumOf = ({ cpu: { postgres, sender, receiver } }: Pace): number => postgres + sender + receiver

const count = (value: number) => Math.round(value).toLocaleString('en-US')
const two = (value: number) => value.toFixed(2)
const percent = (part: number) => `${(part * 100).toFixed(2)} %`
const range = ({ median, least, greatest }: Spread, show = count) =>
  `${show(median)} (${show(least)}–${show(greatest)})`
const median = (all: readonly number[]) => count(spread(all).median)
