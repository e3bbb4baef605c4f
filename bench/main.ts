import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '#embedded-postgres/start.ts'
import { describeServer, prepareDatabase } from './databases.ts'
import type { Scale } from './dataset/sizes.ts'
import { measure } from './measure.ts'
import { readOptions } from './options.ts'
import { progress } from './progress.ts'
import { resultsPage } from './results-page.ts'

const small: Scale = { database: 'gable_bench_10k', contacts: 10_000, workspaces: 200 }
const large: Scale = { database: 'gable_bench_1m', contacts: 1_000_000, workspaces: 200 }
const quickLarge: Scale = { database: 'gable_bench_quick', contacts: 50_000, workspaces: 200 }

const resultsFile = new URL('RESULTS.md', import.meta.url)

const options = readOptions(process.argv.slice(2), process.env)
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

function startOwnServer() {
  const dataDir = fileURLToPath(new URL('../.data/bench', import.meta.url))
  return startEmbeddedPostgres({ dataDir, exclusive: true, log: progress })
}
