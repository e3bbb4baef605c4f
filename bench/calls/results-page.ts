import { availableParallelism, cpus, totalmem } from 'node:os'
import { comparisonTable, searchTable } from '../report.ts'
import type { Measured } from '../rounds.ts'
import type { SearchTime } from '../search-times.ts'
import type { Memory } from './recordings.ts'
import type { Responses } from './responses.ts'

export interface Results {
  server: string
  count: number
  connections: number
  rounds: number
  seconds: number
  times: readonly SearchTime[] | undefined
  recordings: { serving: Measured; memory: readonly Memory[] } | undefined
  responses: readonly Responses[] | undefined
}

const whole = (value: number) => value.toFixed(0)

/** The page that is printed and saved. */
export function resultsPage({
  server,
  count,
  connections,
  rounds,
  seconds,
  times,
  recordings,
  responses,
}: Results): string {
  const parts = [
    `# Benchmark of calls

Made by \`npm run bench:calls\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${server}. Load, servers and database share this machine.
`,
  ]
  if (times !== undefined)
    parts.push(`## Lists

One workspace with ${count.toLocaleString('en-US')} calls of 20,000 contacts and 100 members.

${searchTable(times)}

51 rows asked for, in mixed order through the product's own statements, roles and tenant rule; database time and one local round trip. The aim is a p99 of at most 10 ms.
`)
  if (recordings !== undefined) {
    const { serving: measured, memory } = recordings
    const comparison = { title: 'GET /recordings/…', measured, subject: 'Gable', to: 'bare', aim: 0.5 }
    parts.push(`## Recordings beside a bare file server

${comparisonTable([comparison])}

${connections} connections, ${rounds} rounds of ${seconds} s, the servers taking turns; a recording of 512 kB. Bare is \`bench/calls/bare-file-server.ts\`: a stream of one file for anyone who asks.

| Slow streams at once | Gable, MB resident | bare, MB resident |
| -------------------: | -----------------: | ----------------: |
${memory.map((one) => `| ${one.streams} | ${whole(one.gable)} | ${whole(one.bare)} |`).join('\n')}

Each stream is of a recording of 40 MB, of which the other side reads the first bytes only. Memory that does not grow with what is served is the aim.
`)
  }
  if (responses !== undefined)
    parts.push(`## From a text to the response of the AI

From the moment a text was taken until the response was accepted, beyond the delay of the persona, with the scripted model, and one person after the other. The aim is at most 1,000 ms.

| Delay | People | p50 ms | p99 ms | slowest ms |
| ----: | -----: | -----: | -----: | ---------: |
${responses.map((one) => `| ${one.delay} s | ${one.people} | ${whole(one.p50)} | ${whole(one.p99)} | ${whole(one.slowest)} |`).join('\n')}
`)
  return parts.join('\n')
}
