import { availableParallelism, cpus, totalmem } from 'node:os'
import { spread } from '../statistics.ts'
import type { Fairness } from './fairness.ts'
import type { Idle } from './idle.ts'
import type { Pace } from './pace.ts'
import { stepsEach } from './scene.ts'

export interface Results {
  /** A description of the database server. */
  server: string
  idle: Idle | undefined
  people: number
  paces: readonly Pace[]
  bare: readonly number[]
  fairness: readonly Fairness[]
}

/** The page that is printed and saved. */
export const resultsPage = ({ server, ...results }: Results): string => `# Benchmark of automations

Made by \`npm run bench:automations\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${server}. Workers and database share this machine.

${[idleSection(results.idle), paceSection(results), fairnessSection(results.fairness)].filter((text) => text !== '').join('\n')}`

const idleSection = (idle: Idle | undefined) =>
  idle === undefined
    ? ''
    : `## A look that finds nothing to do

${count(idle.waiting)} enrollments wait in 100 workspaces. ${count(idle.ticks)} looks of an engine; beside them two statements that read nothing, on the same connection. The aim is 5 ms of the database.

| p50 ms | p99 ms | CPU of PostgreSQL, ms | Two empty statements, p50 ms |
| -----: | -----: | --------------------: | ---------------------------: |
| ${idle.p50.toFixed(2)} | ${idle.p99.toFixed(2)} | ${idle.postgres.toFixed(2)} | ${idle.bareP50.toFixed(2)} |
`

/** Steps per second. */
const aim = 2000

function paceSection({ people, paces, bare }: Omit<Results, 'server'>): string {
  if (paces.length === 0) return ''
  const [steps, beside] = [spread(paces.map(({ perSecond }) => perSecond)), spread(bare)]
  const ratios = spread(paces.map(({ perSecond }, i) => perSecond / (bare[i] ?? Number.NaN)))
  const of = (part: 'worker' | 'postgres') => count(spread(paces.map((pace) => pace[part])).median)
  return `## Steps a second

${count(people)} people of ten workspaces are due at once, and two worker processes take each through ${stepsEach} steps; from the first step to the last. Beside them two connections write the same number of rows, a transaction a person, without looking at anything. In turns, ${paces.length} rounds; medians with the least and the greatest. A step that is missing fails the run. The aim is 2,000, and ${steps.median < aim ? 'missed' : 'met'}.

| Steps/s | Bare steps/s | Ratio | CPU µs of a step: workers | PostgreSQL |
| ------: | -----------: | ----: | ------------------------: | ---------: |
| ${range(steps, count)} | ${range(beside, count)} | ${range(ratios, two)} | ${of('worker')} | ${of('postgres')} |
`
}

function fairnessSection(all: readonly Fairness[]): string {
  const [first] = all
  if (first === undefined) return ''
  const of = (part: keyof Fairness) => count(spread(all.map((one) => one[part])).median)
  return `## One workspace with much to do

${count(first.due)} are due at once in one workspace. Meanwhile ${count(first.others)} people of twenty others enter, one every 50 ms, and go through ${stepsEach} steps; the time from the request until the last step. Two workers. Medians of ${all.length} rounds. The aim is a p99 of 2,000 ms.

| p50 ms | p99 ms | slowest ms | of the large one, left at the end |
| -----: | -----: | ---------: | --------------------------------: |
| ${of('p50')} | ${of('p99')} | ${of('slowest')} | ${of('left')} |
`
}

const count = (value: number) => Math.round(value).toLocaleString('en-US')
const two = (value: number) => value.toFixed(2)
const range = ({ median, least, greatest }: ReturnType<typeof spread>, show: (value: number) => string) =>
  `${show(median)} (${show(least)}–${show(greatest)})`
