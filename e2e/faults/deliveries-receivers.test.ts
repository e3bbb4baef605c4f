import { setTimeout as sleep } from 'node:timers/promises'
import { type TestWorkspace, testApp, towardsLoopback } from '@gable/server/test/support/app.ts'
import type { Client } from '@gable/server/test/support/client.ts'
import { asOwner, freshDatabase } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { startEndpoints } from './endpoints-process.ts'
import { type Behavior, misbehaving, receiving, timeoutMs } from './misbehavior.ts'

vi.setConfig({ testTimeout: 120_000 })

const minute = 60_000
const start = Date.parse('2026-03-02T15:00:00.000Z')
const bounds = { timeout: 20_000, interval: 20 }

/** A subscription and its endpoint's behavior. */
interface Subscribed {
  name: string
  manners: Behavior
  id: string
  /** Each uses another key, because of the rate limit per minute. */
  client: Client
}

const subscribeAll = (
  { credential }: TestWorkspace,
  urls: Record<string, string>,
  table: Record<string, Behavior>,
  event: string,
): Promise<Subscribed[]> =>
  Promise.all(
    Object.entries(table).map(async ([name, manners]) => {
      const client = await credential()
      const { status, body } = await client.post('/webhooks', { url: urls[name], event_types: [event] })
      expect(status).toBe(201)
      return { name, manners, id: body['id'] as string, client }
    }),
  )

/** Deliveries of an event: their number, how many are delivered, the fewest logged attempts and the most counted. */
async function deliveriesOf(databaseUrl: string, event: string) {
  const [row] = await asOwner<{ count: number; delivered: number; least: number; most: number }>(
    databaseUrl,
    `select count(*)::int, count(*) filter (where status = 'delivered')::int as delivered,
       min(jsonb_array_length(attempts)) as least, max(attempt) as most
     from webhook_deliveries where event = $1`,
    [event],
  )
  return row
}

test('failing endpoints get six attempts each, on schedule, while others are served', async () => {
  const databaseUrl = await freshDatabase('faults_receivers')
  await using endpoints = await startEndpoints()
  const egress = { ...towardsLoopback, timeoutMs }
  await using app = await testApp({ role: 'all', databaseUrl, now: new Date(start), egress })
  const workspace = await app.workspace()
  const urls = { ...endpoints.urls, 'listens no more': 'http://127.0.0.1:1/' }
  const gone = {
    'listens no more': { ...misbehaving['never reads'], failure: 'connection refused' } as Behavior,
  }
  const failing = await subscribeAll(workspace, urls, { ...misbehaving, ...gone }, 'contact.created')
  const healthy = await subscribeAll(workspace, urls, receiving, 'contact.updated')
  const writer = await workspace.credential()
  const { body: contact } = await writer.post('/contacts', { last_name: 'Ünïcødé' })

  let due = start
  for (const [i, minutes] of [1, 2, 4, 8, 16, undefined].entries()) {
    const attempt = i + 1
    const received = attempt * healthy.length
    await writer.patch(`/contacts/${contact['id']}`, { last_name: `Name ${attempt}` })
    await vi.waitUntil(
      async () => (await deliveriesOf(databaseUrl, 'contact.updated'))?.delivered === received,
      bounds,
    )
    await vi.waitUntil(
      async () => (await deliveriesOf(databaseUrl, 'contact.created'))?.least === attempt,
      bounds,
    )
    const next = minutes === undefined ? undefined : due + minutes * minute
    for (const endpoint of failing) await expectAttempts(endpoint, attempt, due, next)
    if (next === undefined) break

    app.clock.set(new Date(next - 1))
    await sleep(300)
    const before = { count: failing.length, delivered: 0, least: attempt, most: attempt }
    expect(await deliveriesOf(databaseUrl, 'contact.created'), 'not a moment before').toEqual(before)
    app.clock.set(new Date(next))
    due = next
  }

  app.clock.advance(24 * 60 * minute)
  await sleep(300)
  const after = { count: failing.length, delivered: 0, least: 6, most: 6 }
  expect(await deliveriesOf(databaseUrl, 'contact.created'), 'six in all').toEqual(after)
  const seen = await endpoints.seen()
  expect(failing.length).toBeGreaterThan(30)
  expect(failing.filter(({ name }) => seen[name]?.read.length === 1).length).toBeGreaterThan(25)
  for (const { name } of failing) {
    expect(seen[name]?.read.length ?? 0, `${name}: always the same`).toBeLessThanOrEqual(1)
    expect(seen[name]?.connections ?? 0, name).toBeLessThanOrEqual(6)
  }
  for (const { name } of healthy) expect(seen[name]?.read.length, name).toBe(6)
})

/** Checks the number of attempts, that the last one started when it was due, and the time of the next one, if any. */
async function expectAttempts(
  { client, id, name, manners: { status, failure } }: Subscribed,
  count: number,
  due: number,
  next: number | undefined,
): Promise<void> {
  const { body: list } = await client.get(`/webhooks/${id}/deliveries`)
  expect(list['data'], name).toHaveLength(1)
  const { body: log } = await client.get(`/webhooks/${id}/deliveries/${list['data'][0].id}`)
  expect(log, name).toMatchObject({
    status: next === undefined ? 'failed' : 'pending',
    attempt_count: count,
    next_attempt_at: next === undefined ? null : new Date(next).toISOString(),
  })
  expect(log['attempts'], name).toHaveLength(count)
  const last = log['attempts'].at(-1)
  expect(last, name).toMatchObject({
    started_at: new Date(due).toISOString(),
    status,
    failure: failure instanceof RegExp ? (expect.stringMatching(failure) as string) : failure,
  })
  expect(last.duration_ms, name).toBeLessThanOrEqual(timeoutMs + 500)
}
