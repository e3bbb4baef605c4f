import { request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { finished } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { setRules } from '../routing/public.ts'

const opened = new AsyncDisposableStack()
afterAll(() => opened.disposeAsync())

const databaseUrl = await freshDatabase('large_pages')
const app = opened.use(await testApp({ databaseUrl }))
const { ctx, credential, member } = await app.workspace()
const { key } = await credential('leads:read')

/** Requests a path and discards the response. Returns its size in bytes. */
async function read(path: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request(`${app.base}${path}`, { headers: { authorization: `token ${key}` } }, (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => void (bytes += chunk.length))
    finished(response).then(() => resolve(response.statusCode === 200 ? bytes : 0), reject)
  })
    .on('error', reject)
    .end()
  return promise
}

/** The longest event loop delay, as a share of the request's duration. */
async function longestPause(path: string): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  const start = performance.now()
  delay.enable()
  const bytes = await read(path)
  delay.disable()
  expect(bytes).toBeGreaterThan(3_000_000)
  return delay.max / 1e6 / (performance.now() - start)
}

/** Copies a row of a table until there are 200. */
async function multiply(table: string): Promise<void> {
  const [row] = await asOwner<{ names: string }>(
    databaseUrl,
    `select string_agg(column_name, ', ') as names from information_schema.columns
     where table_name = '${table}' and column_name <> 'id' and is_generated = 'NEVER'`,
  )
  await asOwner(
    databaseUrl,
    `insert into ${table} (id, ${row?.names})
     select left(id, 20) || lpad(copy::text, 5, '0'), ${row?.names} from ${table}, generate_series(2, 200) as copy`,
  )
}

const nested = (depth: number): object =>
  depth === 0
    ? { text: 'Call 312 555 0123 or write to ada@reyes.example. '.repeat(20) }
    : { a: nested(depth - 1), b: nested(depth - 1) }

let lead: { id: string }

beforeAll(async () => {
  const { id } = await member()
  const rules = Array.from({ length: 100 }, (_, i) => ({
    name: `Rule ${i}`,
    conditions: {
      all: [
        { field: 'source', operator: 'eq', value: `Source ${i}` },
        { field: 'zip', operator: 'in', value: [`${60_000 + i}`] },
        { field: 'context.a.a.a.a.text', operator: 'eq', value: 'nothing' },
      ],
    },
    method: 'direct',
    pool: { members: [id] },
  }))
  await setRules(ctx, { rules })
  const draft = { phone: '+13125550123', source: 'Website', context: nested(4) }
  lead = (await (await credential()).post('/leads', draft)).body as { id: string }
  await multiply('leads')
  await multiply('routing_decisions')
}, 60_000)

test.for(['/leads', '/leads/{id}/routing'])(
  'a large page of GET %s lets other requests run',
  { timeout: 60_000 },
  async (path) => {
    const pauses: number[] = []
    for (let round = 0; round < 4; round++)
      pauses.push(await longestPause(`${path.replace('{id}', lead.id)}?limit=200`))
    // The shortest of four, because other processes can interrupt this one. Building the page in one piece would give at least 0.6.
    expect(Math.min(...pauses)).toBeLessThan(0.4)
  },
)
