import { writeFile } from 'node:fs/promises'
import { describeServer, emptyDatabase, startOwnServer } from '../databases.ts'
import { readOptions } from '../options.ts'
import { progress } from '../progress.ts'
import { timeQuestions } from '../question-times.ts'
import type { Comparison } from '../report.ts'
import { created, measureCreating } from './create.ts'
import { fillRecords } from './fill.ts'
import { questionsAbout } from './questions.ts'
import { resultsPage } from './results-page.ts'
import { buildScene } from './scene.ts'

const help = `Usage: npm run bench:records -- [options]

Measures lists, boards and calendars of a large workspace, and creating deals and tasks beside a bare insert; prints a page and
keeps it in bench/RECORDS.md. Uses DATABASE_URL where set (a superuser's), otherwise the embedded PostgreSQL. The database
gable_bench_records is made beside the named one and dropped at the end.

  --quick        small numbers, no RECORDS.md: does it run?
  --rounds N     rounds of each server (10)
  --seconds N    length of a round (4)
  --help         this text
`

const resultsFile = new URL('../RECORDS.md', import.meta.url)

const options = readOptions(help, 32)
if (options !== undefined) {
  const { quick, rounds, seconds, connections } = options
  await using opened = new AsyncDisposableStack()
  const serverUrl = options.databaseUrl ?? opened.use(await startOwnServer()).url
  const server = await describeServer(serverUrl)
  const { url } = opened.use(await emptyDatabase(serverUrl, 'gable_bench_records'))

  // As many keys as the requests of a minute need.
  const brokerage = await buildScene(url, quick ? 200 : 2000)
  const count = quick ? 20_000 : 1_000_000
  await fillRecords(url, brokerage, count)
  const times = await timeQuestions(url, questionsAbout(brokerage, count), quick ? 3 : 50)
  const comparisons: Comparison[] = []
  for (const noun of created) {
    const measured = await measureCreating(url, noun, brokerage, { rounds, seconds, connections })
    comparisons.push({ title: `POST /${noun}`, measured, subject: 'Gable', to: 'bare', aim: 0.5 })
  }
  const page = resultsPage({ server, connections, rounds, seconds, count, times, created: comparisons })
  process.stdout.write(page)
  if (!quick) {
    await writeFile(resultsFile, page)
    progress('kept in bench/RECORDS.md')
  }
}
