import { availableParallelism, cpus, totalmem } from 'node:os'
import { type Comparison, comparisonTable, searchTable } from '../report.ts'
import type { SearchTime } from '../search-times.ts'
import { boardDeals } from './fill.ts'

export interface Results {
  server: string
  connections: number
  rounds: number
  seconds: number
  count: number
  times: readonly SearchTime[]
  created: Comparison[]
}

/** The page that is printed and saved. */
export const resultsPage = ({
  server,
  connections,
  rounds,
  seconds,
  count,
  times,
  created,
}: Results): string =>
  `# Records

Made by \`npm run bench:records\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${server}. Load, servers and database share this machine.

## Lists, boards and calendars

One workspace with ${count.toLocaleString('en-US')} deals, as many listings, appointments and tasks each, 100 members, and a board of ${boardDeals.toLocaleString('en-US')} deals.

${searchTable(times)}

51 rows asked for, in mixed order through the product's own statements, roles and tenant rule; database time and one local round trip. The aim is a p99 of at most 50 ms, and of at most 10 ms without a filter.

## Creating a record beside a bare insert

${comparisonTable(created)}

${connections} connections, ${rounds} rounds of ${seconds} s, the servers taking turns. Bare is \`bench/records/bare-server.ts\`: the row and its event in a transaction, and no credential, limit, tenant rule or lock. Gable also locks the stage of a deal, or looks for an identical task.
`
