import { availableParallelism, cpus, totalmem } from 'node:os'
import type { Scale } from './dataset/sizes.ts'
import type { Results } from './measure.ts'
import type { Options } from './options.ts'
import { comparisonTable, latencyTable, searchTable } from './report.ts'

export interface Circumstances {
  options: Options
  /** A description of the database server. */
  server: string
  scales: { small: Scale; large: Scale }
}

/** The page that is printed and saved. */
export function resultsPage(results: Results, { options, server, scales }: Circumstances): string {
  const { rounds, seconds, connections } = options
  const { small, large } = scales
  const [largeSize, smallSize] = [large, small].map((scale) => scale.contacts.toLocaleString('en-US'))
  return `# Benchmark

Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${server}. Load, servers and database share this machine.
- ${largeSize} contacts in ${large.workspaces} workspaces, a tenth of them in the largest, interleaved in the heap; made by \`bench/dataset/load.sql\`, the same at every run.
- Gable is \`startApp\` with the role \`api\`; bare is \`bench/bare-server.ts\`: Fastify, \`pg.Pool\` of 10, the same query as a named statement, and no credential, revocation, limit, scope, tenant rule or mask. One process each.
- Both get the same requests from autocannon: random contacts of workspaces with more than a page of them, 10,000 API keys in turn, whose last use has just been noted. Keys that read hold \`contacts:read\`, so Gable also masks phone and email.
- ${rounds} rounds of ${seconds} s, the servers taking turns, after a warm-up. A figure is the median of the rounds; a ratio is the median of neighboring rounds' ratios, with the least and the greatest. CPU is from /proc, per request, over the same rounds. A single unsuccessful response fails the run.

## ${connections} connections, ${largeSize} contacts, beside bare

${comparisonTable([...results.throughput, ...results.writes])}

Create is one contact and its event in one transaction, on both sides.

## ${largeSize} contacts beside ${smallSize}

${comparisonTable(results.growth)}

${smallSize} contacts in as many workspaces: ${small.workspaces}. What the larger table costs is memory: its pages do not fit into shared_buffers.

## One connection

${latencyTable(results.latency)}

Nothing can be coalesced here: authentication is a separate round trip.

## Filters in the largest workspace

${searchTable(results.searches)}

${(large.contacts / 10).toLocaleString('en-US')} contacts; 51 rows asked for; each question ${options.quick ? 5 : 50} times in mixed order through the product's own statements, role and tenant rule; database time and one local round trip. The aim is a p99 under 50 ms.
`
}
