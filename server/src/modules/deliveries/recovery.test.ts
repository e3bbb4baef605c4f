import { expect, test } from 'vitest'
import { type TestApp, testApp, towardsLoopback } from '#test/support/app.ts'
import type { Client } from '#test/support/client.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { eventually } from '#test/support/eventually.ts'
import { recoverDeliveries } from './jobs.ts'
import { requeueAll } from './queries.ts'

const subscribe = async (agent: Client, url = 'https://hooks.example.com'): Promise<string> =>
  (await agent.post('/webhooks', { url })).body['id']

interface Shown {
  id: string
  status: string
  attempt_count: number
  next_attempt_at: string | null
}

const list = async (agent: Client, hook: string): Promise<Shown[]> =>
  (await agent.get(`/webhooks/${hook}/deliveries?limit=200`)).body['data'].toReversed()

/**
 * Creates one contact per status, a second apart, and gives each contact's delivery that status. Returns the ids of the
 * deliveries.
 */
async function happened(app: TestApp, agent: Client, hook: string, statuses: string[]): Promise<string[]> {
  for (const _ of statuses) {
    app.clock.advance(1000)
    await agent.post('/contacts')
  }
  const ids = (await list(agent, hook)).map(({ id }) => id)
  for (const [i, status] of statuses.entries()) {
    await asOwner(app.databaseUrl, 'update webhook_deliveries set status = $2, attempt = 6 where id = $1', [
      ids[i],
      status,
    ])
  }
  return ids
}

const waits = (at: string) => ({ status: 'pending', attempt_count: 0, next_attempt_at: at, updated_at: at })

test('a recovery resends exactly the deliveries that failed since the given time', async () => {
  const databaseUrl = await freshDatabase('deliveries_recover')
  await using app = await testApp({ databaseUrl, role: 'all', egress: towardsLoopback })
  const agent = await app.credential()
  // Paused, so that nothing is sent and all deliveries wait.
  const [hook, other] = [
    await subscribe(agent, 'https://localhost:1'),
    await subscribe(agent, 'https://localhost:1'),
  ]
  for (const id of [hook, other]) await agent.patch(`/webhooks/${id}`, { paused: true })
  const from = app.clock.now().getTime()
  await happened(app, agent, hook, ['failed', 'failed', 'delivered', 'failed', 'pending', 'failed'])
  await asOwner(databaseUrl, "update webhook_deliveries set status = 'failed' where webhook_id = $1", [other])
  const before = await list(agent, hook)
  const elsewhere = await list(agent, other)

  app.clock.advance(60_000)
  const since = new Date(from + 2000).toISOString()
  const response = await agent.post(`/webhooks/${hook}/recover`, { since: since.replace('Z', '+00:00') })
  expect(response).toMatchObject({ status: 202, body: { webhook_id: hook, since, deliveries: 3 } })
  const expected = before.map((delivery, i) =>
    [1, 3, 5].includes(i) ? { ...delivery, ...waits(app.clock.now().toISOString()) } : delivery,
  )
  await eventually(async () => expect(await list(agent, hook)).toEqual(expected))
  expect(await list(agent, other)).toEqual(elsewhere)
  expect((await agent.post(`/webhooks/${hook}/recover`, { since })).body['deliveries']).toBe(0)
})

test('the response counts failures since the given time, to the millisecond', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const hook = await subscribe(agent)
  const from = app.clock.now().getTime()
  await happened(app, agent, hook, ['failed', 'delivered', 'failed'])
  const count = async (since: string) =>
    (await agent.post(`/webhooks/${hook}/recover`, { since })).body['deliveries']
  expect(await count(new Date(from + 1000).toISOString())).toBe(2)
  expect(await count(new Date(from + 1001).toISOString())).toBe(1)
  expect(await count(new Date(from + 3000).toISOString())).toBe(1)
  expect(await count(new Date(from + 3001).toISOString())).toBe(0)
  expect(await count('0001-01-01T00:00:00Z')).toBe(2)
  expect(await count('2100-01-01T00:00:00Z')).toBe(0)
  expect(await count('2016-12-31T23:59:60Z')).toBe(2)
})

test('a recovery requeues failed deliveries oldest first, beyond a single batch', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const hook = await subscribe(agent)
  const ids = await happened(app, agent, hook, ['failed', 'failed', 'failed'])
  const range = { from: 'c', to: 'd' }
  const started = await workspace.ctx.transaction((tx) =>
    requeueAll(tx, hook, { ...range, limit: 2 }, app.clock),
  )
  expect(started.map(({ id }) => id).sort()).toEqual(ids.slice(0, 2))

  await asOwner(
    app.databaseUrl,
    `insert into webhook_deliveries
     select workspace_id, webhook_id, left(id, 14) || lpad(n::text, 11, '0'), event_id, event, scope, 'failed', attempt,
       due_at, claimed_by, claimed_until, attempts, created_at, updated_at
     from webhook_deliveries, generate_series(1, 2500) n where webhook_id = $1 and id = $2 order by md5(n::text)`,
    [hook, ids[0]],
  )
  app.clock.advance(60_000)
  await recoverDeliveries.handle(workspace.ctx, { webhook_id: hook, ...range })
  const rows = await asOwner(
    app.databaseUrl,
    'select count(*)::int as count, status, attempt from webhook_deliveries where webhook_id = $1 group by 2, 3',
    [hook],
  )
  expect(rows).toEqual([{ count: 2503, status: 'pending', attempt: 0 }])
})

/** Gives a delivery a failed attempt, after which it waits for the next one. */
const failOnce = (app: TestApp, id: string | undefined, dueAt: Date) =>
  asOwner(
    app.databaseUrl,
    `update webhook_deliveries set status = 'pending', attempt = 2, due_at = $2, claimed_by = null, claimed_until = null,
       attempts = '[{"started_at": "2026-03-02T15:00:00.000Z", "duration_ms": 12, "status": 503, "failure": "status 503", "answer": "no"}]'
     where id = $1`,
    [id, dueAt],
  )

test('a recovery brings forward deliveries that wait for another attempt, with their count, and counts them', async () => {
  await using app = await testApp()
  const workspace = await app.workspace()
  const agent = await workspace.credential()
  const hook = await subscribe(agent)
  const [waiting, failed, inFlight, fresh] = await happened(app, agent, hook, [
    'pending',
    'failed',
    'pending',
    'pending',
  ])
  const later = (ms: number) => new Date(app.clock.now().getTime() + ms)
  await failOnce(app, waiting, later(960_000))
  const claim = 'update webhook_deliveries set attempt = 1, claimed_by = $2, claimed_until = $3 where id = $1'
  await asOwner(app.databaseUrl, claim, [inFlight, 'a worker', later(75_000)])
  await asOwner(app.databaseUrl, 'update webhook_deliveries set attempt = 0 where id = $1', [fresh])
  const before = await list(agent, hook)
  const since = '2026-01-01T00:00:00Z'
  const { body } = await agent.post(`/webhooks/${hook}/recover`, { since })
  expect(body['deliveries']).toBe(2)
  await recoverDeliveries.handle(workspace.ctx, { webhook_id: hook, from: 'c', to: 'd' })
  const now = app.clock.now().toISOString()
  const changed: Record<string, object> = {
    [waiting ?? '']: { attempt_count: 2, next_attempt_at: now, updated_at: now },
    [failed ?? '']: waits(now),
  }
  expect(await list(agent, hook)).toEqual(before.map((one) => ({ ...one, ...changed[one.id] })))
  // Its worker is gone once it had 15 seconds to report.
  app.clock.advance(15_001)
  expect((await agent.post(`/webhooks/${hook}/recover`, { since })).body['deliveries']).toBe(1)
})

test('recovery works for a paused webhook but returns 409 for a disabled one until it is enabled', async () => {
  await using app = await testApp()
  const agent = await app.credential()
  const hook = await subscribe(agent)
  await happened(app, agent, hook, ['failed'])
  const since = '2026-01-01T00:00:00Z'
  await agent.patch(`/webhooks/${hook}`, { paused: true })
  expect(await agent.post(`/webhooks/${hook}/recover`, { since })).toMatchObject({
    status: 202,
    body: { deliveries: 1 },
  })
  await asOwner(app.databaseUrl, 'update webhooks set disabled_at = now() where id = $1', [hook])
  const rejected = await agent.post(`/webhooks/${hook}/recover`, { since })
  expect(rejected).toMatchObject({ status: 409, body: { error: { code: 'webhook_not_active' } } })
  await agent.patch(`/webhooks/${hook}`, { paused: false })
  expect((await agent.post(`/webhooks/${hook}/recover`, { since })).status).toBe(202)
})
