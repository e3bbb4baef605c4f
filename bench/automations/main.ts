import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { later, systemClock } from '@gable/server/src/kernel/clock.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { openRuntime } from '@gable/server/src/runtime.ts'
import { connected, describeServer, emptyDatabase, startOwnServer } from '../databases.ts'
import { readOptions } from '../options.ts'
import { progress } from '../progress.ts'
import { type Fairness, measureFairness } from './fairness.ts'
import { type Idle, measureIdle } from './idle.ts'
import { type Pace, measureBare, measurePace } from './pace.ts'
import { resultsPage } from './results-page.ts'
import { fill, openBrokerage } from './scene.ts'

const help = `Usage: npm run bench:automations -- [options]

Measures what a look of an engine costs that finds nothing to do, steps a second through two workers beside bare writes, and how long
others wait while one workspace has much to do; prints a page and keeps it in bench/automations/AUTOMATIONS.md. Uses DATABASE_URL where set (a
superuser's), otherwise the embedded PostgreSQL. Databases gable_bench_automations are made beside the named one and dropped at the end.
PostgreSQL's CPU time is that of all its databases, so nothing else should use that server meanwhile.

  --quick        small numbers, no AUTOMATIONS.md: does it run?
  --only PART    one of idle, pace and fairness, no AUTOMATIONS.md; may be repeated
  --rounds N     rounds of pace and fairness (10)
  --help         this text
`

const resultsFile = new URL('AUTOMATIONS.md', import.meta.url)

const allParts = ['idle', 'pace', 'fairness'] as const
type Part = (typeof allParts)[number]

const options = readOptions(help, 1, allParts)
if (options !== undefined) {
  const { quick, rounds, parts } = options
  await using opened = new AsyncDisposableStack()
  const serverUrl = options.databaseUrl ?? opened.use(await startOwnServer()).url
  const server = await describeServer(serverUrl)
  const appSecret = randomBytes(32).toString('hex')
  const wants = (part: Part) => parts.includes(part)

  /** Runs each measurement on its own database, so that none pays for what another has left behind. */
  async function onFreshDatabase<T>(
    measure: (runtime: ReturnType<typeof openRuntime>, url: string) => Promise<T>,
  ): Promise<T> {
    await using database = await emptyDatabase(serverUrl, 'gable_bench_automations')
    const runtime = openRuntime({
      databaseUrl: database.url,
      appSecrets: [appSecret],
      clock: systemClock,
      log: createLog('warn'),
      checkRows: false,
      egress: { allowHttp: 'none', allowPrivate: 'none' },
    })
    await using _open = runtime.database
    return await measure(runtime, database.url)
  }

  const waiting = quick ? 10_000 : 1_000_000
  let idle: Idle | undefined
  if (wants('idle'))
    idle = await onFreshDatabase(async (runtime, url) => {
      for (let n = 0; n < 100; n++)
        await fill(
          url,
          await openBrokerage(runtime, `Brokerage ${n}`),
          waiting / 100,
          later(systemClock.now(), 86_400_000),
        )
      await connected(url, (client) => client.query('vacuum (analyze)'))
      progress(`${waiting} wait`)
      return measureIdle(runtime, url, waiting, quick ? 20 : 500)
    })

  const people = quick ? 400 : 10_000
  const paces: Pace[] = []
  const bare: number[] = []
  for (let round = 1; wants('pace') && round <= rounds; round++) {
    bare.push(
      await onFreshDatabase(async (runtime, url) => {
        const brokerage = await openBrokerage(runtime, 'Bare')
        await fill(url, brokerage, people, later(systemClock.now(), 86_400_000))
        return measureBare(url, brokerage.ctx.workspaceId, people)
      }),
    )
    paces.push(
      await onFreshDatabase((runtime, url) => measurePace(runtime, url, { people, appSecret, round })),
    )
    progress(`${paces.at(-1)?.perSecond.toFixed(0)} steps a second, bare ${bare.at(-1)?.toFixed(0)}`)
  }

  const fairness: Fairness[] = []
  const due = quick ? 2000 : 100_000
  for (let round = 1; wants('fairness') && round <= Math.ceil(rounds / 3); round++) {
    fairness.push(
      await onFreshDatabase((runtime, url) =>
        measureFairness(runtime, url, { due, others: quick ? 20 : 400, appSecret }),
      ),
    )
    progress(`others: p99 ${fairness.at(-1)?.p99.toFixed(0)} ms`)
  }

  const page = resultsPage({ server, idle, people, paces, bare, fairness })
  process.stdout.write(page)
  if (!quick && parts.length === allParts.length) {
    await writeFile(resultsFile, page)
    progress('kept in bench/automations/AUTOMATIONS.md')
  }
}
