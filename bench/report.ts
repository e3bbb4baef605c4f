import { type Measured, figure, ratio } from './rounds.ts'
import type { SearchTime } from './search-times.ts'
import type { Spread } from './statistics.ts'

type Row = readonly string[]

/** A Markdown table that is also readable as plain text. */
function table(head: Row, rows: readonly Row[]): string {
  const all = [head, ...rows]
  const widths = head.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)))
  const line = (row: Row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`
  const rule = `| ${widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(head), rule, ...rows.map(line)].join('\n')
}

/** A comparison of two subjects in one case. */
export interface Comparison {
  title: string
  measured: Measured
  subject: string
  to: string
  /** The minimum ratio of requests per second to aim for, if there is an aim. */
  aim?: number
}

export const comparisonTable = (comparisons: readonly Comparison[]): string =>
  table(
    [
      'Case',
      'Requests/s',
      'beside',
      'Ratio (spread)',
      'Aim',
      'p99 ms',
      'beside',
      'CPU µs: server + PostgreSQL',
      'beside',
      'Ratio of CPU (spread)',
    ],
    comparisons.map(({ title, measured, subject, to, aim }) => [
      title,
      whole(figure(measured, subject, 'requestsPerSecond')),
      whole(figure(measured, to, 'requestsPerSecond')),
      ratioText(ratio(measured, subject, to, 'requestsPerSecond')),
      aim === undefined ? '' : `≥ ${aim.toFixed(1)}`,
      ms(figure(measured, subject, 'p99').median),
      ms(figure(measured, to, 'p99').median),
      cpuText(measured, subject),
      cpuText(measured, to),
      ratioText(ratio(measured, subject, to, 'cpuMicros')),
    ]),
  )

const cpuText = (measured: Measured, subject: string) =>
  `${whole(figure(measured, subject, 'serverMicros'))} + ${whole(figure(measured, subject, 'postgresMicros'))}`

export const latencyTable = (comparisons: readonly Comparison[]): string =>
  table(
    ['One connection', 'p50 ms', 'bare p50 ms', 'Difference ms', 'p99 ms', 'bare p99 ms'],
    comparisons.map(({ title, measured, subject, to }) => {
      const [mine, bare] = [figure(measured, subject, 'p50').median, figure(measured, to, 'p50').median]
      return [
        title,
        ms(mine),
        ms(bare),
        ms(mine - bare),
        ms(figure(measured, subject, 'p99').median),
        ms(figure(measured, to, 'p99').median),
      ]
    }),
  )

export const searchTable = (times: readonly SearchTime[]): string =>
  table(
    ['Filter', 'p50 ms', 'p99 ms', 'slowest question', 'its p50 ms'],
    times.map(({ kind, p50, p99, worst, worstMedian }) => [
      kind,
      ms(p50),
      ms(p99),
      `\`${worst}\``,
      ms(worstMedian),
    ]),
  )

const whole = ({ median }: Spread) => Math.round(median).toLocaleString('en-US')
const ms = (value: number) => value.toFixed(value < 10 ? 2 : 1)
const ratioText = ({ median, least, greatest }: Spread) =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`
