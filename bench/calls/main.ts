import { writeFile } from 'node:fs/promises'
import { describeServer, emptyDatabase, startOwnServer } from '../databases.ts'
import { readOptions } from '../options.ts'
import { progress } from '../progress.ts'
import { timeQuestions } from '../question-times.ts'
import { buildScene } from '../records/scene.ts'
import { fillCalls } from './fill.ts'
import { questionsAbout } from './questions.ts'
import { measureRecordings } from './recordings.ts'
import { measureResponses } from './responses.ts'
import { resultsPage } from './results-page.ts'

const help = `Usage: npm run bench:calls -- [options]

Measures lists of calls of a large workspace, recordings beside a bare file server and with slow streams, and how long a response of the
AI takes beyond its model; prints a page and keeps it in bench/calls/CALLS.md. Uses DATABASE_URL where set (a superuser's), otherwise the
embedded PostgreSQL. The database gable_bench_calls is made beside the named one and dropped at the end.

  --quick        small numbers, no CALLS.md: does it run?
  --only PART    one of lists, recordings and responses, no CALLS.md; may be repeated
  --rounds N     rounds of each server (10)
  --seconds N    length of a round (4)
  --help         this text
`

const resultsFile = new URL('CALLS.md', import.meta.url)

const allParts = ['lists', 'recordings', 'responses'] as const

const options = readOptions(help, 8, allParts)
if (options !== undefined) {
  const { quick, rounds, seconds, connections, parts } = options
  await using opened = new AsyncDisposableStack()
  const serverUrl = options.databaseUrl ?? opened.use(await startOwnServer()).url
  const server = await describeServer(serverUrl)
  const { url } = opened.use(await emptyDatabase(serverUrl, 'gable_bench_calls'))
  const brokerage = await buildScene(url, 1)
  const wants = (part: (typeof allParts)[number]) => parts.includes(part)

  const count = quick ? 20_000 : 1_000_000
  if (wants('lists')) {
    await fillCalls(url, brokerage, count)
    progress(`${count} calls`)
  }
  const times = wants('lists')
    ? await timeQuestions(url, questionsAbout(brokerage, count), quick ? 3 : 50)
    : undefined
  const load = { rounds, seconds, connections }
  const recordings = wants('recordings') ? await measureRecordings(url, brokerage, load) : undefined
  const responses = wants('responses') ? await measureResponses(url, quick ? 5 : 300) : undefined
  const page = resultsPage({ server, count, ...load, times, recordings, responses })
  process.stdout.write(page)
  if (!quick && parts.length === allParts.length) {
    await writeFile(resultsFile, page)
    progress('kept in bench/calls/CALLS.md')
  }
}
