import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { startEmbeddedPostgres } from '#embedded-postgres/start.ts'
import { migrate } from '#kernel/migrate.ts'
import { connected, describeServer } from '../databases.ts'
import { progress } from '../progress.ts'
import { type Spread, spread } from '../statistics.ts'
import { drain, postRaw } from './drain.ts'
import { type Latency, latency } from './latency.ts'
import { startHelper } from './processes.ts'
import type { Arrivals, ReceiverQuestion } from './receiver.ts'

const help = `Usage: npm run bench:webhooks -- [options]

Measures the delivery of webhooks by one worker process beside undici posting the same bytes without a queue, prints a
page and keeps it in bench/WEBHOOKS.md. Uses DATABASE_URL where set (a superuser's), otherwise the embedded PostgreSQL.
The database gable_bench_webhooks is made beside the named one and dropped at the end.

  --quick       small numbers, no WEBHOOKS.md: does it run?
  --rounds N    rounds of each case (5)
  --help        this text
`

const database = 'gable_bench_webhooks'
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

async function bench({ quick, rounds }: { quick: boolean; rounds: number }): Promise<void> {
  await using opened = new AsyncDisposableStack()
  const serverUrl = process.env['DATABASE_URL'] || opened.use(await startOwnServer()).url
  const server = await describeServer(serverUrl)
  const url = await newDatabase(serverUrl)
  opened.defer(() => dropDatabase(serverUrl))
  const receiver = opened.use(await startHelper<ReceiverQuestion, Arrivals>('receiver.ts'))
  const { port } = await receiver.ask({ ask: 'listen' })
  const origin = `http://127.0.0.1:${port}`
  const appSecret = randomBytes(32).toString('hex')

  const deliveries = quick ? 5000 : 100_000
  const cases = [1, 100, 10_000]
  const raw: number[] = []
  const drained = new Map<number, number[]>(cases.map((endpoints) => [endpoints, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const endpoints of cases) {
      raw.push(await postRaw({ origin, body, count: deliveries, connections: 64 }))
      const backlog = { endpoints, deliveries, origin, appSecret, body, ofWorkspace: 10 }
      drained.get(endpoints)?.push(await drain(url, receiver, backlog))
      progress(
        `round ${round}: ${endpoints} endpoints ${Math.round(drained.get(endpoints)?.at(-1) ?? 0)}/s, raw ${Math.round(raw.at(-1) ?? 0)}/s`,
      )
    }
  }
  const times: Latency[] = []
  for (let round = 1; round <= (quick ? 1 : 3); round++) {
    const pace = { eventsPerSecond: 200, seconds: quick ? 3 : 20 }
    times.push(await latency(url, receiver, { endpoints: 100, dead: 10, ...pace, origin, appSecret }))
    progress(`latency: p50 ${times.at(-1)?.p50} ms, p99 ${times.at(-1)?.p99} ms`)
  }

  const rows = cases.map((endpoints, i) => {
    const rates = drained.get(endpoints) ?? []
    const beside = rates.map((_, round) => raw[round * cases.length + i] ?? Number.NaN)
    return `| ${endpoints.toLocaleString('en-US')} | ${rate(spread(rates))} | ${rate(spread(beside))} | ${ratio(spread(rates.map((one, round) => one / (beside[round] ?? Number.NaN))))} |`
  })
  const page = `# Benchmark of webhooks

Made by \`npm run bench:webhooks\` on ${new Date().toISOString().slice(0, 10)}; the next run overwrites this page.

- ${availableParallelism()} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, ${server}. Sender, receiver and database share this machine.
- The receiver is a process of its own that reads each request and responds 200 immediately.

## A backlog of ${deliveries.toLocaleString('en-US')}

One process with the role \`worker\` claims, signs, sends and settles all of it; beside it undici's \`Pool.dispatch\` with 64 connections posts the same bytes as often, signed once each, without a database. In turns, ${rounds} rounds; medians with the least and the greatest. A single event that does not arrive fails the run. The aim is a ratio of 0.5.

| Endpoints | Deliveries/s | Raw posts/s | Ratio |
| --------: | -----------: | ----------: | ----: |
${rows.join('\n')}

## From the commit to the first attempt

${times[0]?.events.toLocaleString('en-US')} events of 90 responsive endpoints, at 200 events a second over 100 endpoints, 10 of which never respond; api and worker are processes of their own. Medians of ${times.length} runs.

| p50 ms | p99 ms | slowest ms |
| -----: | -----: | ---------: |
| ${whole(times.map(({ p50 }) => p50))} | ${whole(times.map(({ p99 }) => p99))} | ${whole(times.map(({ slowest }) => slowest))} |

The aims are 100 ms and 2,000 ms.
`
  process.stdout.write(page)
  if (!quick) await writeFile(resultsFile, page)
}

const number = (value: number) => Math.round(value).toLocaleString('en-US')
const rate = ({ median, least, greatest }: Spread) =>
  `${number(median)} (${number(least)}–${number(greatest)})`
const ratio = ({ median, least, greatest }: Spread) =>
  `${median.toFixed(2)} (${least.toFixed(2)}–${greatest.toFixed(2)})`
const whole = (all: readonly number[]) => number(spread(all).median)

function startOwnServer() {
  const dataDir = fileURLToPath(new URL('../../.data/bench', import.meta.url))
  return startEmbeddedPostgres({ dataDir, exclusive: true, log: progress })
}

async function newDatabase(serverUrl: string): Promise<string> {
  await dropDatabase(serverUrl)
  await connected(serverUrl, (client) => client.query(`create database ${database}`))
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  await migrate(url.href)
  return url.href
}

const dropDatabase = async (serverUrl: string) => {
  await connected(serverUrl, (client) => client.query(`drop database if exists ${database} with (force)`))
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) process.stdout.write(help)
else await bench({ quick: values.quick, rounds: Number(values.rounds ?? (values.quick ? 1 : 5)) })
