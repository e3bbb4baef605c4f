import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Exchange } from '#kernel/egress/egress.ts'
import { newId } from '#kernel/ids.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { freshDatabase } from '#test/support/database.ts'
import type { OutgoingDelivery } from '../../src/modules/deliveries/dispatcher/queue.ts'
import {
  type NextState,
  maxAttempts,
  retryDelayMs,
  unreportedDelaysMs,
} from '../../src/modules/deliveries/dispatcher/schedule.ts'
import { type RealQueue, openRealQueue } from './real-queue.ts'

let app: TestApp
let queue: RealQueue
beforeAll(async () => {
  app = await testApp({ databaseUrl: await freshDatabase('late_settlements') })
  queue = await openRealQueue(app)
})
afterAll(async () => {
  await queue[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

const now = () => app.clock.now().getTime()

/** Claims the endpoint's next delivery for this worker. */
async function claim(worker: string, webhookId: string): Promise<OutgoingDelivery> {
  const { deliveries } = await queue.claim(worker, {
    now: now(),
    after: '',
    limit: 1,
    quotas: new Map(),
    refill: [{ workspaceId: 'w', webhookId }],
    scan: false,
    idle: false,
    defaultQuota: 1,
    workspaceQuotas: new Map(),
    defaultWorkspaceQuota: 1,
    failingQuota: 1,
  })
  const [delivery] = deliveries
  if (delivery === undefined) throw new Error('Nothing was due.')
  return delivery
}

type Result = NextState | undefined

/** Settles the claim. An undefined result means that it was not sent. */
function settle(worker: string, delivery: OutgoingDelivery, next: Result): Promise<void> {
  const ok = next?.status === 'delivered'
  const outcome: Exchange = { status: ok ? 200 : 500, ok, answer: null, failure: null, duration_ms: 1 }
  const result = next === undefined ? undefined : { outcome, next, startedAt: now() }
  return queue.settle(worker, [{ delivery, result }])
}

const retried = (afterMs = 0): Result => ({ status: 'pending', dueAt: now() + afterMs })
const failed = (): Result => ({ status: 'failed', dueAt: now() })

/** The possible results in a settlement. */
const results: Record<string, () => Result> = {
  'it was delivered': () => ({ status: 'delivered', dueAt: now() }),
  'it is to be retried': () => retried(60_000),
  'it failed for good': failed,
  'it was not sent': () => undefined,
}

/** What has happened to a delivery since worker a claimed it. */
const since: Record<string, (claimed: OutgoingDelivery) => Promise<unknown>> = {
  async 'another worker has claimed it when it was overdue'({ webhookId }) {
    app.clock.advance(unreportedDelaysMs[0] ?? 0)
    return claim('b', webhookId)
  },
  async 'its worker has claimed it again when it was overdue'({ webhookId }) {
    app.clock.advance(unreportedDelaysMs[0] ?? 0)
    return claim('a', webhookId)
  },
  async 'it was released, and another worker has claimed it at the same moment'(claimed) {
    await settle('a', claimed, undefined)
    await queue.release('a')
    return claim('b', claimed.webhookId)
  },
  async 'it was released, and its worker has claimed it a moment later'(claimed) {
    await settle('a', claimed, undefined)
    app.clock.advance(1)
    return claim('a', claimed.webhookId)
  },
  async 'its last attempt is claimed until the very moment until which the one before was'(claimed) {
    let last = claimed
    for (let attempt = 1; attempt < maxAttempts; attempt++) {
      await settle('a', last, retried(retryDelayMs(attempt)))
      app.clock.advance(retryDelayMs(attempt) ?? 0)
      Object.assign(claimed, last)
      last = await claim('a', claimed.webhookId)
    }
    expect([claimed.attempt, claimed.claimedUntil]).toEqual([maxAttempts - 1, last.claimedUntil])
  },
  'it was settled': (claimed) => settle('a', claimed, failed()),
  async 'it was settled and is sent again'(claimed) {
    await settle('a', claimed, failed())
    app.clock.advance(1)
    await queue.requeue('w', claimed.webhookId, claimed.id)
    return claim('a', claimed.webhookId)
  },
  'an erasure took the claim away': ({ webhookId }) => queue.dropClaims(webhookId),
  'its endpoint is gone': ({ webhookId }) => queue.forget('w', webhookId),
}

const cases = Object.entries(since).flatMap(([what, become]) =>
  Object.entries(results).map(([says, result]) => [what, says, become, result] as const),
)

let hooks = 0

test.each(cases)(
  'once %s, a settlement saying that %s changes nothing',
  async (_what, _says, become, result) => {
    const hook = `h${1000 + hooks++}`
    await queue.addHooks('w', [hook], ['contacts:read'])
    await queue.publish('w', newId(app.clock.now()), 'contacts:read')
    const claimed = await claim('a', hook)
    await become(claimed)
    const deliveries = async () => (await queue.rows()).filter((row) => row.includes(claimed.id))
    const before = await deliveries()
    await settle('a', claimed, result())
    expect(await deliveries()).toEqual(before)
    await queue.removeHook(hook)
  },
)

test.each(Object.entries(results))(
  'while the claim is valid, a settlement saying that %s is recorded',
  async (_, result) => {
    const hook = `h${1000 + hooks++}`
    await queue.addHooks('w', [hook], ['contacts:read'])
    await queue.publish('w', newId(app.clock.now()), 'contacts:read')
    const claimed = await claim('a', hook)
    const before = await queue.rows()
    await settle('a', claimed, result())
    expect(await queue.rows()).not.toEqual(before)
    await queue.removeHook(hook)
  },
)
