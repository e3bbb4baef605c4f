import { writeFile } from 'node:fs/promises'
import { postmasterOf } from '../cpu.ts'
import { describeServer, prepareDatabase, startOwnServer } from '../databases.ts'
import { readOptions } from '../options.ts'
import { progress } from '../progress.ts'
import { type Comparison, comparisonTable } from '../report.ts'
import { clearTraces, create, cycle, getOne, prepareTargets } from '../requests.ts'
import { takeTurns } from '../rounds.ts'
import { startServer } from '../server-process.ts'

const resultsFile = new URL('../LOG.md', import.meta.url)

const help = `Usage: npm run bench:log -- [options]

Measures what the log of requests costs: the API with the log beside the API without it, on the same database. Prints a
page and keeps it in bench/LOG.md. Uses DATABASE_URL where set (a superuser's), otherwise the embedded PostgreSQL.

  --quick        short rounds, no LOG.md: does it run?
  --fresh        reload the data
  --rounds N     rounds of each server in each case (10)
  --seconds N    length of a round (4)
  --help         this text
`

const [logged, unlogged] = ['with the log', 'without']
const cases = [
  { title: 'GET one', scope: 'contacts:read', request: getOne, connections: [64, 1] },
  { title: 'create', scope: 'contacts:write', request: create, connections: [64, 1] },
]

const options = readOptions(help, 64)
if (options !== undefined) {
  const { quick, fresh, rounds, seconds } = options
  await using opened = new AsyncDisposableStack()
  const serverUrl = options.databaseUrl ?? opened.use(await startOwnServer()).url
  const scale = { database: 'gable_bench_10k', contacts: 10_000, workspaces: 200 }
  const url = await prepareDatabase(serverUrl, scale, fresh)
  const postmaster = await postmasterOf(url).catch(() => undefined)
  const servers = [
    { name: logged, server: opened.use(await startServer('product-server.ts', url)) },
    {
      name: unlogged,
      server: opened.use(await startServer('product-server.ts', url, { logsRequests: false })),
    },
  ]
  const comparisons: Comparison[] = []
  for (const { title, scope, request, connections } of cases) {
    await clearTraces(url)
    const targets = await prepareTargets(url, [scope])
    const subjects = servers.map((one) => ({ ...one, next: cycle(targets, request) }))
    for (const count of connections) {
      const one = { title: `${title}, ${count} at once`, connections: count, seconds, subjects, postmaster }
      const measured = await takeTurns(one, rounds)
      comparisons.push({ title: one.title, measured, subject: logged, to: unlogged })
    }
  }
  await clearTraces(url)
  const page = `# Benchmark of the log of requests

Made by \`npm run bench:log\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${await describeServer(serverUrl)}
- The API with its log of requests, beside the same without it: ${rounds} rounds of ${seconds} s, the servers taking turns. A figure is the median of the rounds; a ratio is the median of neighboring rounds' ratios, with the least and the greatest.
- 10,000 contacts in 200 workspaces; every response is a success.

${comparisonTable(comparisons)}

The aim is a cost of at most 3 %.
`
  process.stdout.write(page)
  if (!quick) {
    await writeFile(resultsFile, page)
    progress('kept in bench/LOG.md')
  }
}
