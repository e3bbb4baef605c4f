import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { describeServer, emptyDatabase, startOwnServer } from '../databases.ts'
import { readOptions } from '../options.ts'
import { progress } from '../progress.ts'
import { measureAccepting } from './accept.ts'
import { timeInbox } from './inbox-times.ts'
import { fillInbox } from './inbox.ts'
import { timeJudge } from './judge-times.ts'
import { share, untilTuesdayNoon } from './product.ts'
import { resultsPage } from './results-page.ts'
import { buildScene } from './scene.ts'
import { type Sent, measureSending } from './sending.ts'

const help = `Usage: npm run bench:messages -- [options]

Measures the judge, POST /messages beside a bare insert, texts a second through one worker to the simulated carrier, and
the filters of a large inbox; prints a page and keeps it in bench/MESSAGES.md. Uses DATABASE_URL where set (a superuser's),
otherwise the embedded PostgreSQL. The database gable_bench_messages is made beside the named one and dropped at the end.
PostgreSQL's CPU time is that of all its databases, so nothing else should use that server meanwhile.

  --quick        small numbers, no MESSAGES.md: does it run?
  --only PART    one of judge, accept, send and inbox, no MESSAGES.md; may be repeated
  --rounds N     rounds of each server (10); texts are sent in a third as many
  --seconds N    length of a round (4)
  --help         this text
`

const resultsFile = new URL('../MESSAGES.md', import.meta.url)

const allParts = ['judge', 'accept', 'send', 'inbox'] as const
type Part = (typeof allParts)[number]

const options = readOptions(help, 32, allParts)
if (options !== undefined) {
  const { quick, rounds, seconds, connections, parts } = options
  await using opened = new AsyncDisposableStack()
  const serverUrl = options.databaseUrl ?? opened.use(await startOwnServer()).url
  const server = await describeServer(serverUrl)
  const { url } = opened.use(await emptyDatabase(serverUrl, 'gable_bench_messages'))
  share({ appSecret: randomBytes(32).toString('hex'), shiftMs: untilTuesdayNoon() })

  const wants = (part: Part) => parts.includes(part)
  const judge = wants('judge') ? timeJudge(quick ? 2 : 20) : undefined
  const people = quick ? 2000 : 20_000
  const brokerages = await buildScene(url, { brokerages: 11, people, keys: quick ? 1100 : 11_000 })
  progress('the brokerages are set up')
  const accepted = wants('accept')
    ? await measureAccepting(url, brokerages, { rounds, seconds, connections })
    : undefined

  // The large brokerage has the inbox. Together, the others send to as many people as it has.
  const [large, ...others] = brokerages
  if (large === undefined) throw new Error('There is no brokerage.')
  const texts = (others.length * people) / 10
  const sent: Sent[] = []
  for (let round = 0; wants('send') && round < Math.ceil(rounds / 3); round++) {
    sent.push(await measureSending(url, others, texts))
    progress(`${sent.at(-1)?.perSecond.toFixed(0)} texts a second`)
  }
  const messages = quick ? 50_000 : 1_000_000
  if (wants('inbox')) await fillInbox(url, large, messages)
  const inbox = wants('inbox') ? await timeInbox(url, large.workspaceId, messages, quick ? 5 : 50) : undefined
  const page = resultsPage({
    server,
    judge,
    accepted,
    connections,
    rounds,
    seconds,
    texts,
    sent,
    messages,
    inbox,
  })
  process.stdout.write(page)
  if (!quick && parts.length === allParts.length) {
    await writeFile(resultsFile, page)
    progress('kept in bench/MESSAGES.md')
  }
}
