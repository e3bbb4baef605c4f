import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { postmasterOf } from '../cpu.ts'
import { describeServer, prepareDatabase, startOwnServer } from '../databases.ts'
import { readOptions } from '../options.ts'
import { progress } from '../progress.ts'
import { comparisonTable } from '../report.ts'
import { type Target, clearTraces, cycle, getOne, listFifty, pageSize, prepareTargets } from '../requests.ts'
import { takeTurns } from '../rounds.ts'
import { startServer } from '../server-process.ts'
import * as directus from './directus.ts'

const help = `Usage: npm run bench:peers -- [options]

Measures the API beside Directus with the same contacts on the same PostgreSQL server, prints a table and keeps it in
bench/PEERS.md. The first run installs Directus, one version as of one day, into .data/bench-directus. Uses DATABASE_URL where
set (a superuser's), otherwise the embedded PostgreSQL. The database gable_bench_10k is made beside the named one and
kept; gable_bench_directus is dropped at the end.

  --quick        one short round, no PEERS.md: does it run?
  --fresh        reload the data
  --rounds N     rounds of each server in each case (10)
  --seconds N    length of a round (4)
  --help         this text
`

const options = readOptions(help, 32)
if (options !== undefined) {
  const { rounds, seconds, connections, quick, fresh, databaseUrl } = options
  await directus.install()
  await using opened = new AsyncDisposableStack()
  const serverUrl = databaseUrl ?? opened.use(await startOwnServer()).url
  const server = await describeServer(serverUrl)
  const scale = { database: 'gable_bench_10k', contacts: 10_000, workspaces: 200 }
  const contactsUrl = await prepareDatabase(serverUrl, scale, fresh)
  await clearTraces(contactsUrl)
  opened.defer(() => clearTraces(contactsUrl))
  opened.defer(() => directus.drop(serverUrl))
  const directusUrl = await directus.prepare(serverUrl, contactsUrl)
  const targets = await prepareTargets(contactsUrl, ['contacts:read'])
  const product = opened.use(await startServer('product-server.ts', contactsUrl))
  const peer = opened.use(await directus.start(directusUrl))

  const postmaster = await postmasterOf(contactsUrl).catch(() => undefined)
  const headers = { authorization: `Bearer ${directus.token}` }
  const compare = async (
    title: string,
    request: (target: Target) => ReturnType<typeof getOne>,
    pathOf: (target: Target) => string,
  ) => ({
    title,
    measured: await takeTurns(
      {
        title,
        connections,
        seconds,
        postmaster,
        subjects: [
          { name: 'Gable', server: product, next: cycle(targets, request) },
          {
            name: 'Directus',
            server: peer,
            next: cycle(targets, (target) => ({ path: pathOf(target), headers })),
          },
        ],
      },
      rounds,
    ),
    subject: 'Gable',
    to: 'Directus',
  })
  const comparisons = [
    await compare('GET one', getOne, ({ contactId }) => `/items/contacts/${contactId}`),
    await compare(
      'list 50',
      listFifty,
      ({ workspaceId }) =>
        `/items/contacts?limit=${pageSize}&sort=-id&filter[workspace_id][_eq]=${workspaceId}`,
    ),
  ]
  const page = `# Beside Directus

Made by \`npm run bench:peers\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${server}. Load, servers and database share this machine.
- Directus ${directus.version()}, one process with its defaults: no cache, no rate limit. An administrator's static token, so it evaluates no permissions. Gable authenticates 10,000 API keys in turn, counts their requests and masks what they may not see.
- The same ${scale.contacts.toLocaleString('en-US')} contacts in ${scale.workspaces} workspaces on the same PostgreSQL server; the list is of one workspace, newest first.
- ${connections} connections, ${rounds} rounds of ${seconds} s, the servers taking turns, after a warm-up. Medians; the ratio with the least and the greatest of neighboring rounds. CPU is from /proc, per request. A single unsuccessful response fails the run.

${comparisonTable(comparisons)}
`
  process.stdout.write(page)
  if (!quick) {
    await writeFile(new URL('../PEERS.md', import.meta.url), page)
    progress('kept in bench/PEERS.md')
  }
}
