import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { maxBatchBytes, maxItems } from '#kernel/http/batch.ts'
import { asOwner } from '#test/support/database.ts'
import { endpoints } from '../../src/api.ts'
import { type TestApp, type TestWorkspace, testApp } from '../support/app.ts'
import type { Client } from '../support/client.ts'

let app: TestApp
let workspace: TestWorkspace
let agent: Client
beforeAll(async () => void (app = await testApp()))
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(async () => {
  workspace = await app.workspace()
  agent = await workspace.credential()
})

const batches = endpoints.flatMap((endpoint) =>
  endpoint.batches === undefined ? [] : [{ path: endpoint.path, one: endpoint.batches }],
)
const lead = (n: number) => ({ source: 'Portal', phone: `+1312555${1000 + n}`, skip_routing: true })
const contact = (n: number) => ({ first_name: `Person ${n}`, stage: 'SPHERE' })
const draftOf: Record<string, (n: number) => object> = { '/leads/batch': lead, '/contacts/batch': contact }

interface Result {
  status: number
  data?: { id: string }
  error?: { code: string; details?: { path: string }[] }
}
const resultsOf = ({ body }: { body: Record<string, unknown> }) => body['results'] as Result[]
const draftsOf = (path: string, count: number) =>
  Array.from({ length: count }, (_, n) => draftOf[path]?.(n) ?? {})
const countOf = async (path: string) =>
  (await agent.get(`${path.replace('/batch', '')}/count`)).body['count'] as number

test('leads and contacts have batches', () =>
  expect(batches.map(({ path }) => path).toSorted()).toEqual(['/contacts/batch', '/leads/batch']))

test.each(batches)('$path handles its items in order, and each fails alone', async ({ path, one }) => {
  const [first, second] = draftsOf(path, 2)
  const items = [first, { ...first, stray: 1 }, { source: 5 }, second]
  const response = await agent.post(path, { items })
  expect(response.status).toBe(200)
  const results = resultsOf(response)
  expect(results.map(({ status }) => status)).toEqual([201, 400, 400, 201])
  for (const [at, draft] of [
    [0, first],
    [3, second],
  ] as const) {
    const { id = '' } = results[at]?.data ?? {}
    const { updated_at: _, ...alone } = (await agent.get(`${one.path}/${id}`)).body
    expect(results[at]?.data).toMatchObject(alone)
    expect(draft).toBeDefined()
  }
  expect(results[1]).toEqual({
    status: 400,
    error: expect.objectContaining({
      code: 'validation_failed',
      details: [expect.objectContaining({ path: 'stray' })],
    }),
  })
  expect(await countOf(path)).toBe(2)
})

test.each(batches)('$path shows its caller what a single request shows', async ({ path, one }) => {
  const scope = one.scope
  const masked = await workspace.credential(scope)
  const [draft] = draftsOf(path, 1)
  const { data } =
    resultsOf(await masked.post(path, { items: [{ ...draft, email: 'ada@reyes.example' }] }))[0] ?? {}
  expect(data).toMatchObject((await masked.get(`${one.path}/${data?.id}`)).body)
  expect(JSON.stringify(data)).not.toContain('ada@reyes.example')
  const reader = await workspace.credential('events:read')
  expect((await reader.post(path, { items: [draft] })).status).toBe(403)
})

test.each(batches)('an item of $path with a key is handled once, also alone', async ({ path, one }) => {
  const [draft, other] = draftsOf(path, 2)
  const items = [
    { ...draft, idempotency_key: 'item-1' },
    { ...other, idempotency_key: 'item-2' },
  ]
  const first = resultsOf(await agent.post(path, { items }))
  expect(resultsOf(await agent.post(path, { items }))).toEqual(first)
  const alone = await agent.post(one.path, draft, { 'idempotency-key': 'item-1' })
  expect([alone.status, alone.headers.get('idempotency-replayed'), alone.body]).toEqual([
    201,
    'true',
    first[0]?.data,
  ])
  const [mismatch] = resultsOf(await agent.post(path, { items: [{ ...other, idempotency_key: 'item-1' }] }))
  expect(mismatch).toMatchObject({ status: 409, error: { code: 'idempotency_mismatch' } })
  const [invalid] = resultsOf(await agent.post(path, { items: [{ ...other, idempotency_key: 'a b' }] }))
  expect(invalid).toMatchObject({ status: 400, error: { details: [{ path: 'Idempotency-Key' }] } })
  expect(await countOf(path)).toBe(2)
})

test.each(batches)(
  'a key of $path covers the whole, even of a batch that was interrupted',
  async ({ path }) => {
    const body = { items: draftsOf(path, 3) }
    const headers = { 'idempotency-key': 'whole' }
    const first = await agent.post(path, body, headers)
    const again = await agent.post(path, body, headers)
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([first.body, 'true'])
    expect((await agent.post(path, { items: draftsOf(path, 2) }, headers)).status).toBe(409)
    // As a process leaves it that ends after the second item.
    await asOwner(
      app.databaseUrl,
      "update idempotency_replies set status = 0, body = '' where workspace_id = $1 and key = 'whole'",
      [workspace.id],
    )
    await asOwner(
      app.databaseUrl,
      "delete from idempotency_replies where workspace_id = $1 and key = '2 of whole'",
      [workspace.id],
    )
    const resumed = resultsOf(await agent.post(path, body, headers))
    expect(resumed.slice(0, 2)).toEqual(resultsOf(first).slice(0, 2))
    expect(await countOf(path)).toBe(4)
  },
)

test.each(batches)('$path counts as a request for each ten items, all or none', async ({ path }) => {
  const left = async () => Number((await agent.get('/ping')).headers.get('x-ratelimit-remaining'))
  app.clock.advance(60_000)
  const before = await left()
  const { headers } = await agent.post(path, { items: draftsOf(path, 31) })
  expect(Number(headers.get('x-ratelimit-remaining'))).toBe(before - 4)
  for (let remaining = await left(); remaining > 4;) remaining = await left()
  const counted = await asOwner<{ n: number }>(
    app.databaseUrl,
    `select count(*)::integer as n from ${path.split('/')[1]} where workspace_id = $1`,
    [workspace.id],
  )
  expect(counted[0]?.n).toBe(31)
  expect(await agent.post(path, { items: draftsOf(path, 50) })).toMatchObject({
    status: 429,
    body: { error: { code: 'rate_limited' } },
  })
  // What is left still serves smaller requests.
  expect((await agent.post(path, { items: draftsOf(path, 20) })).status).toBe(200)
  app.clock.advance(60_000)
  expect(await countOf(path)).toBe(path === '/leads/batch' ? 51 : 51)
})

test.each(batches)(
  '$path takes 1 to 200 items and 2 MB',
  async ({ path }) => {
    for (const [count, status] of [
      [0, 400],
      [maxItems, 200],
      [maxItems + 1, 400],
    ] as const) {
      app.clock.advance(60_000)
      expect([count, (await agent.post(path, { items: draftsOf(path, count) })).status]).toEqual([
        count,
        status,
      ])
    }
    const text = JSON.stringify({ items: [{}] })
    expect((await agent.request('POST', path, { raw: text.padEnd(maxBatchBytes) })).status).toBe(200)
    expect(await agent.request('POST', path, { raw: text.padEnd(maxBatchBytes + 1) })).toMatchObject({
      status: 413,
      body: { error: { message: expect.stringContaining(String(maxBatchBytes)) } },
    })
  },
  30_000,
)

test('the same lead twice in one batch is captured once', async () => {
  const one = { ...lead(1), source_ref: 'p-1' }
  const [first, second] = resultsOf(await agent.post('/leads/batch', { items: [one, one] }))
  expect([first?.status, second?.status, second?.data?.id]).toEqual([201, 200, first?.data?.id])
})
