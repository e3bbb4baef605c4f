import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { describeServer, emptyDatabase, startOwnServer } from '../databases.ts'
import { progress } from '../progress.ts'
import { type Pace, drain, postRaw } from './drain.ts'
import { idle } from './idle.ts'
import { type Latency, latency } from './latency.ts'
import { startHelper } from './processes.ts'
import type { Arrivals, ReceiverQuestion } from './receiver.ts'
import { type Drained, resultsPage, sumOf } from './results-page.ts'

const help = `Usage: npm run bench:webhooks -- [options]

Measures the delivery of webhooks by one worker process beside undici posting the same bytes without a queue, prints a
page and keeps it in bench/WEBHOOKS.md. Uses DATABASE_URL where set (a superuser's), otherwise the embedded PostgreSQL.
The database gable_bench_webhooks is made beside the named one and dropped at the end.
PostgreSQL's CPU time is that of all its databases, so nothing else should use that server meanwhile.

  --quick       small numbers, no WEBHOOKS.md: does it run?
  --rounds N    rounds of each backlog (5)
  --backlog N   deliveries of each (100,000)
  --cases LIST  only these of 1,100,10000,latency,idle, and no WEBHOOKS.md
  --help        this text
`

const resultsFile = new URL('../WEBHOOKS.md', import.meta.url)
const body = JSON.stringify({
  event: 'contact.created',
  tenantId: 'cbench0000000000000000000',
  occurredAt: '2026-03-02T15:00:00.000Z',
  data: {
    event_id: 'cmm9b2ao000279q2jovuazxcf',
    occurred_at: '2026-03-02T15:00:00.000Z',
    id: 'cmm9b2ao00026gyuaswxbh28j',
    stage: 'LEAD',
    owner_id: null,
    contact: {
      first_name: 'Ada',
      last_name: null,
      email: null,
      phone: '+1******0123',
      source: 'Open house',
      tags: [],
    },
  },
})

/** What to measure: backlogs for this many endpoints, the latency, and the cost of an idle worker. */
const allCases = ['1', '100', '10000', 'latency', 'idle']

interface Options {
  quick: boolean
  rounds: number
  deliveries: number
  cases: readonly string[]
}

async function bench({ quick, rounds, deliveries, cases }: Options): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const serverUrl = process.env['DATABASE_URL'] || opened.use(await startOwnServer()).url
  const server = await describeServer(serverUrl)
  const { url } = opened.use(await emptyDatabase(serverUrl, 'gable_bench_webhooks'))
  const receiver = opened.use(await startHelper<ReceiverQuestion, Arrivals>('receiver.ts'))
  const { port } = await receiver.ask({ ask: 'listen' })
  const origin = `http://127.0.0.1:${port}`
  const appSecret = randomBytes(32).toString('hex')

  const drained = cases
    .filter((one) => Number(one) > 0)
    .map((one): Drained => ({ endpoints: Number(one), worker: [], raw: [] }))
  for (let round = 1; round <= rounds; round++) {
    for (const { endpoints, worker, raw } of drained) {
      const posted = await postRaw(receiver, { origin, body, count: deliveries, connections: 64 })
      const backlog = { endpoints, deliveries, origin, appSecret, body, ofWorkspace: 10 }
      const delivered = await drain(url, receiver, backlog)
      raw.push(posted)
      worker.push(delivered)
      progress(`round ${round}: ${endpoints} endpoints ${inWords(delivered)}, raw ${inWords(posted)}`)
    }
  }
  const latencies: Latency[] = []
  for (let round = 1; cases.includes('latency') && round <= (quick ? 1 : 3); round++) {
    const pace = { eventsPerSecond: 200, seconds: quick ? 3 : 20 }
    const one = await latency(url, receiver, { endpoints: 100, dead: 10, ...pace, origin, appSecret })
    latencies.push(one)
    progress(`latency: p50 ${one.p50} ms, p99 ${one.p99} ms`)
  }
  const resting = cases.includes('idle')
    ? await idle(url, { seconds: quick ? 5 : 30, origin, appSecret })
    : undefined
  const page = resultsPage({ server, deliveries, drained, latencies, idle: resting })
  process.stdout.write(page)
  if (!quick && cases.length === allCases.length) await writeFile(resultsFile, page)
}

const inWords = (pace: Pace) => {
  const { postgres, sender, receiver } = pace.cpu
  const [sum, ...parts] = [sumOf(pace), postgres, sender, receiver].map((one) => one.toFixed(0))
  return `${Math.round(pace.perSecond)}/s for ${sum} µs (${parts.join(' + ')})`
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    backlog: { type: 'string' },
    cases: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(help)
else
  await bench({
    quick: values.quick,
    rounds: Number(values.rounds ?? (values.quick ? 1 : 5)),
    deliveries: Number(values.backlog ?? (values.quick ? 5000 : 100_000)),
    cases: values.cases?.split(',') ?? allCases,
  })
