import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asOwner } from '@gable/server/test/support/database.ts'
import { expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newDatabase } from './databases.ts'
import { spawnGable, startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'
import { startReceiver } from './receiver.ts'
import { numbers, openRestoreScene, start } from './restore-scene.ts'
import { subscribe } from './subscriptions.ts'
import { towardsLoopback } from './worker-process.ts'

vi.setConfig({ testTimeout: 240_000 })

/** How often; many times in the nightly run. */
const rounds = Math.ceil(Number(process.env['GABLE_FAULT_ROUNDS'] ?? 1) / 10)

/** Loaded into a process first: SIGUSR2 sets its clock by this much, and back. */
const settableClock = (aheadMs: number) =>
  `--import=data:text/javascript,${encodeURIComponent(`
  const RealDate = Date
  let ahead = 0
  process.on('SIGUSR2', () => { ahead = ahead === 0 ? ${aheadMs} : 0 })
  globalThis.Date = class extends RealDate {
    constructor(...given) { if (given.length > 0) super(...given); else super(RealDate.now() + ahead) }
    static now() { return RealDate.now() + ahead }
  }`)}`

const hours = 3_600_000
const bounds = { timeout: 60_000, interval: 20 }

test.each(
  Array.from({ length: rounds }, (_, round) => [
    ['ahead', 3 * hours, round] as const,
    ['behind', -3 * hours, round] as const,
  ]).flat(),
)(
  'a worker whose clock is three hours %s sends nothing; once it is killed, the next one delivers everything',
  async (direction, aheadMs, round) => {
    const env = await newDatabase(`clock_${direction}_${round}`)
    await using receiver = await startReceiver()
    await using api = await startGable({ ...env, ...towardsLoopback, ROLE: 'api' })
    const keys = await newKeys(env.DATABASE_URL, 2)
    const { workspaceId } = keys
    await subscribe(api.base, receiver, { workspaceId, key: keys.next(), eventTypes: ['contact.created'] })
    const happen = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const headers = { authorization: `token ${keys.next()}`, 'content-type': 'application/json' }
        const { status } = await fetch(`${api.base}/contacts`, { method: 'POST', headers, body: '{}' })
        expect(status).toBe(201)
      }
    }
    const delivered = () => new Set(receiver.arrivals.map(({ eventId }) => eventId)).size
    const ofWorker = { ...env, ...towardsLoopback, ROLE: 'worker', LOG_LEVEL: 'warn' }

    await using worker = spawnGable({ ...ofWorker, NODE_OPTIONS: settableClock(aheadMs) })
    await worker.until(() => worker.stdout().includes('\n'))
    await happen(10)
    await vi.waitUntil(() => delivered() === 10, bounds)
    worker.kill('SIGUSR2')
    await worker.until(() => worker.stderr().includes('nothing is sent'))
    await happen(10)
    // Longer than an idle worker takes to notice them.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(delivered()).toBe(10)

    worker.kill('SIGKILL')
    await worker.exit
    // What a worker leaves that dies while PostgreSQL's own clock is wrong.
    await asOwner(
      env.DATABASE_URL,
      `insert into webhook_leases (workspace_id, webhook_id, worker, leased_until)
       select workspace_id, id, 'gone', now() + interval '3 hours' from webhooks
       on conflict (workspace_id, webhook_id) do update set worker = excluded.worker, leased_until = excluded.leased_until`,
    )
    await using next = spawnGable(ofWorker)
    await next.until(() => next.stdout().includes('\n'))
    const since = performance.now()
    await vi.waitUntil(() => delivered() === 20, bounds)
    console.log(
      `clock ${direction}: all delivered ${Math.round(performance.now() - since)} ms after the next start`,
    )
    // None was sent twice: the killed worker had begun nothing.
    expect(receiver.arrivals).toHaveLength(20)
  },
)

test('a message says that the clock of a worker elsewhere is wrong, until it is right', async () => {
  await using scene = await openRestoreScene(await mkdtemp(join(tmpdir(), 'gable-clock-')), 'clock_worker')
  await using api = await start(scene.env, 'api')
  await using worker = await start({ ...scene.env, NODE_OPTIONS: settableClock(3 * hours) }, 'worker')
  worker.kill('SIGUSR2')
  const waitingOf = async (id: string) =>
    (await ask(api.base, { method: 'GET', path: `/messages/${id}`, key: scene.next() })).body['waiting']
  const recorded = async () =>
    asOwner(scene.env.DATABASE_URL, 'select from worker_clocks where ahead_ms > 30000')
  await vi.waitUntil(async () => (await recorded()).length === 1, bounds)
  const id = await scene.send(api, numbers[0] ?? '')
  expect(await waitingOf(id)).toMatchObject({ code: 'clock_wrong' })
  worker.kill('SIGUSR2')
  await vi.waitUntil(async () => (await scene.arrived())[0] === 1, bounds)
  expect(await waitingOf(id)).toBe(null)
  worker.kill('SIGTERM')
  await worker.exit
  expect(await asOwner(scene.env.DATABASE_URL, 'select from worker_clocks')).toEqual([])
})

test('a process whose clock was set wrong goes on by itself once it is right', async () => {
  const env = await newDatabase('clock_restored')
  await using gable = await startGable({ ...env, NODE_OPTIONS: settableClock(3 * hours), LOG_LEVEL: 'warn' })
  const ready = async () => (await fetch(`${gable.origin}/readyz`)).status
  expect(await ready()).toBe(200)
  gable.kill('SIGUSR2')
  await vi.waitUntil(async () => (await ready()) === 503, bounds)
  gable.kill('SIGUSR2')
  await vi.waitUntil(async () => (await ready()) === 200, bounds)
  gable.kill('SIGTERM')
  expect(await gable.exit).toEqual({ code: 0, signal: null })
})
