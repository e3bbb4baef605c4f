import { writeFile } from 'node:fs/promises'
import { describeServer, prepareDatabase, startOwnServer } from './databases.ts'
import type { Scale } from './dataset/sizes.ts'
import { measure } from './measure.ts'
import { readOptions } from './options.ts'
import { progress } from './progress.ts'
import { resultsPage } from './results-page.ts'

const small: Scale = { database: 'gable_bench_10k', contacts: 10_000, workspaces: 200 }
const large: Scale = { database: 'gable_bench_1m', contacts: 1_000_000, workspaces: 200 }
const quickLarge: Scale = { database: 'gable_bench_quick', contacts: 50_000, workspaces: 200 }

const resultsFile = new URL('RESULTS.md', import.meta.url)

const help = `Usage: npm run bench -- [options]

Measures the API beside a bare handler on the same database, prints a table and keeps it in bench/RESULTS.md.
Uses DATABASE_URL where set (a superuser's: it makes databases and reads past row-level security), otherwise the
embedded PostgreSQL. The databases gable_bench_10k and gable_bench_1m are made beside the named one and kept.

  --quick        small data, short rounds, no RESULTS.md: does it run?
  --fresh        reload the data
  --rounds N     rounds of each server in each case (10)
  --seconds N    length of a round (4)
  --help         this text
`

const options = readOptions(help, 64)
if (options !== undefined) {
  await using opened = new AsyncDisposableStack()
  const serverUrl = options.databaseUrl ?? opened.use(await startOwnServer()).url
  const server = await describeServer(serverUrl)
  const scales = { small, large: options.quick ? quickLarge : large }
  const databases = {
    small: await prepareDatabase(serverUrl, scales.small, options.fresh),
    large: await prepareDatabase(serverUrl, scales.large, options.fresh),
  }
  const page = resultsPage(await measure(databases, options), { options, server, scales })
  process.stdout.write(page)
  if (!options.quick) {
    await writeFile(resultsFile, page)
    progress('kept in bench/RESULTS.md')
  }
}
