import { expect, test, vi } from 'vitest'
import { testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { defaultLimits } from '../../src/modules/deliveries/dispatcher/limits.ts'
import { openRealQueue } from './real-queue.ts'

const deliveries = 20_000
const { perClaim } = defaultLimits

test('query plans made on empty tables read few rows of full ones', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('simulation_plans') })
  await using real = await openRealQueue(app)
  const owner = (text: string) => asOwner(app.databaseUrl, text)
  const claim = () =>
    real.claim('a', {
      now: app.clock.now().getTime(),
      after: '',
      limit: perClaim,
      quotas: new Map(),
      refill: [{ workspaceId: 'w', webhookId: 'h0' }],
      scan: true,
      idle: false,
      defaultQuota: perClaim,
      workspaceQuotas: new Map(),
      defaultWorkspaceQuota: 2 * perClaim,
      failingQuota: perClaim,
    })
  await owner('vacuum analyze webhooks')
  await owner('vacuum analyze webhook_deliveries')
  await owner('vacuum analyze webhook_payloads')
  await claim()
  await real.settle('a', [])

  await real.addHooks('w', ['h0', 'h1', 'h2', 'h3'], ['contacts:read'])
  await owner(`
    insert into webhook_payloads select 'w', 'e' || n, '{}' from generate_series(1, ${deliveries}) n`)
  await owner(`
    insert into webhook_deliveries
      (workspace_id, webhook_id, id, event_id, event, scope, status, attempt, due_at, attempts, created_at, updated_at)
    select 'w', 'h' || n % 4, 'd' || n, 'e' || n, 'thing.happened', 'contacts:read', 'pending', 0, at, '[]', at, at
    from generate_series(1, ${deliveries}) n, (select '2026-03-01'::timestamptz as at) as now`)
  const claimed = await claim()
  expect(claimed.deliveries).toHaveLength(2 * perClaim)
  const outcome = { status: 200, ok: true, answer: null, failure: null, duration_ms: 1 }
  const result = { outcome, next: { status: 'delivered', dueAt: 0 } as const, startedAt: 0 }
  await real.settle(
    'a',
    claimed.deliveries.map((delivery) => ({ delivery, result })),
  )
  // PostgreSQL publishes its counters some time after the statements.
  const read = await vi.waitFor(async () => {
    const [counters] = await owner(`
      select sum(seq_tup_read + idx_tup_fetch)::integer as read, sum(n_tup_upd)::integer as updated
      from pg_stat_user_tables where relname in ('webhooks', 'webhook_deliveries', 'webhook_payloads')`)
    expect(Number(counters?.['updated'])).toBe(2 * claimed.deliveries.length)
    return Number(counters?.['read'])
  }, 60_000)
  expect(read).toBeLessThan(10 * claimed.deliveries.length)
})
