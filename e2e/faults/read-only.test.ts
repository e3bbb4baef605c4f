import { setTimeout as sleep } from 'node:timers/promises'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { newDatabase } from './databases.ts'
import { startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'
import { startReceiver } from './receiver.ts'
import { subscribe } from './subscriptions.ts'
import { towardsLoopback } from './worker-process.ts'

/** How often the database turns read-only; many times in the nightly run. */
const rounds = Math.ceil(Number(process.env['GABLE_FAULT_ROUNDS'] ?? 1) / 5)
vi.setConfig({ testTimeout: 120_000 + rounds * 30_000 })

const clients = 4
/** Within this time after the database can be written again, processes write. */
const recoveredMs = 20_000

test('nothing acknowledged is lost or doubled when the database turns read-only, and processes go on by themselves', async ({
  annotate,
}) => {
  const env = await newDatabase('read_only')
  const name = new URL(env.DATABASE_URL).pathname.slice(1)
  await using receiver = await startReceiver()
  await using api = await startGable({ ...env, ...towardsLoopback, ROLE: 'api' })
  await using worker = await startGable({
    ...env,
    ...towardsLoopback,
    ROLE: 'worker',
    PUBLIC_URL: api.origin,
  })
  const keys = await newKeys(env.DATABASE_URL, 40)
  const { workspaceId } = keys
  await subscribe(api.base, receiver, { workspaceId, key: keys.next(), eventTypes: ['contact.created'] })

  const acknowledged = new Set<string>()
  let rejected = 0
  let isOver = false
  async function create(number: number): Promise<void> {
    for (let count = 0; !isOver; count++) {
      // A retry names the same request, so that it is done once.
      const headers = {
        authorization: `token ${keys.next()}`,
        'content-type': 'application/json',
        'idempotency-key': `${number}-${count}`,
      }
      const request = { method: 'POST', headers, body: JSON.stringify({ last_name: `${number}-${count}` }) }
      for (;;) {
        const response = await fetch(`${api.base}/contacts`, request)
        const { id } = (await response.json()) as { id?: string }
        if (response.status === 201 && id !== undefined) {
          acknowledged.add(id)
          break
        }
        expect([429, 503]).toContain(response.status)
        rejected++
        await sleep(50)
      }
      await sleep(20)
    }
  }
  const isReady = async () => (await fetch(`${api.origin}/readyz`)).status === 200
  const cutAll = () =>
    asOwner(
      env.DATABASE_URL,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and application_name like 'gable %'`,
    )
  const working = Promise.all(Array.from({ length: clients }, (_, number) => create(number)))
  const recoveries: number[] = []
  for (let round = 0; round < rounds; round++) {
    await sleep(200 + Math.random() * 300)
    await asOwner(env.DATABASE_URL, `alter database "${name}" set default_transaction_read_only = on`)
    // Sessions get the setting when they begin.
    await cutAll()
    await vi.waitUntil(async () => !(await isReady()), { timeout: recoveredMs, interval: 20 })
    await sleep(Math.random() * 1000)
    await asOwner(
      env.DATABASE_URL,
      `begin read write; alter database "${name}" reset default_transaction_read_only; commit`,
    )
    const since = performance.now()
    const before = acknowledged.size
    await vi.waitUntil(async () => acknowledged.size > before + clients && (await isReady()), {
      timeout: recoveredMs,
      interval: 20,
    })
    recoveries.push(Math.round(performance.now() - since))
  }
  isOver = true
  await working
  const stored = await asOwner<{ id: string; last_name: string }>(
    env.DATABASE_URL,
    'select id, last_name from contacts where workspace_id = $1',
    [workspaceId],
  )
  expect(new Set(stored.map(({ id }) => id))).toEqual(acknowledged)
  expect(new Set(stored.map(({ last_name }) => last_name)).size).toBe(stored.length)
  const delivered = () => new Set(receiver.arrivals.map(({ eventId }) => eventId)).size
  await vi.waitUntil(() => delivered() === stored.length, { timeout: 60_000, interval: 50 })
  expect(worker.stderr()).not.toContain('"level":60')
  await annotate(
    `${rounds} rounds, ${stored.length} contacts, ${rejected} rejections, recovered after ${recoveries.join(', ')} ms`,
  )
})
