import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { type Question, ask } from './ask.ts'
import { type Keys, newKeys } from './keys.ts'
import { type Scene, bounds, countPending, openScene } from './scene.ts'
import { type Subscription, subscribe } from './subscriptions.ts'

vi.setConfig({ testTimeout: 180_000 })

const backlog = 2000
const neighbors = 8

/** Creates that many contacts, several at a time. */
async function createContacts({ api }: Scene, keys: Keys, count: number): Promise<void> {
  let left = count
  const question = (): Question => ({
    method: 'POST',
    path: '/contacts',
    key: keys.next(),
    body: { last_name: 'Delivered' },
  })
  const client = async () => {
    while (left-- > 0) expect((await ask(api.base, question())).status).toBe(201)
  }
  await Promise.all(Array.from({ length: 8 }, client))
}

/** A new endpoint that responds after this time, or never. */
async function newEndpoint(
  { api, receiver }: Scene,
  keys: Keys,
  respondsAfter_ms?: number,
): Promise<Subscription> {
  const made = await subscribe(api.base, receiver, { workspaceId: keys.workspaceId, key: keys.next() })
  const never = new Promise<number>(() => {})
  receiver.behaviors.set(made.path, () =>
    respondsAfter_ms === undefined ? never : sleep(respondsAfter_ms, 200),
  )
  return made
}

/** Creates contacts at intervals in each workspace. Returns the milliseconds until each was delivered. */
async function letThingsHappen(
  { api, receiver }: Scene,
  workspaces: readonly { keys: Keys; path: string }[],
) {
  const asked = new Map<string, number>()
  for (let round = 0; round < 40; round++) {
    await Promise.all(
      workspaces.map(async ({ keys }) => {
        const at = performance.now()
        const body = { last_name: 'Neighbor' }
        const made = await ask(api.base, { method: 'POST', path: '/contacts', key: keys.next(), body })
        asked.set(made.body['id'] as string, at)
      }),
    )
    await sleep(100)
  }
  const paths = new Set(workspaces.map(({ path }) => path))
  const received = () => receiver.arrivals.filter(({ path }) => paths.has(path))
  await vi.waitUntil(() => received().length >= asked.size, bounds)
  return received().map(({ at, body }) => at - (asked.get((JSON.parse(body) as EventPayload).data.id) ?? NaN))
}

interface EventPayload {
  data: { id: string }
}

test('backlogs of other endpoints do not delay healthy ones; none gets more than eight requests at once', async ({
  annotate,
}) => {
  await using scene = await openScene('deliveries_fairness', { workers: 2 })
  const { receiver, env } = scene
  const url = env.DATABASE_URL
  const ill = await newKeys(url, 100)
  const dead = await newEndpoint(scene, ill)
  const slow = await newEndpoint(scene, ill, 1500)
  const large = await newKeys(url, 100)
  const many: Subscription[] = []
  for (let i = 0; i < 8; i++) many.push(await newEndpoint(scene, large, 500))
  const healthy: { keys: Keys; path: string }[] = []
  for (let i = 0; i < neighbors; i++) {
    const keys = await newKeys(url, 10)
    healthy.push({ keys, path: (await newEndpoint(scene, keys, 10)).path })
  }
  // The workers run from the start, when the tables are almost empty.
  await Promise.all([createContacts(scene, ill, backlog), createContacts(scene, large, backlog / 2)])
  const took = (await letThingsHappen(scene, healthy)).toSorted((a, b) => a - b)

  const waiting = { dead: 0, slow: 0, large: 0 }
  waiting.dead = await countPending(url, new Date(), dead.id)
  waiting.slow = await countPending(url, new Date(), slow.id)
  for (const { id } of many) waiting.large += await countPending(url, new Date(), id)
  expect(took).toHaveLength(40 * neighbors)
  expect(waiting.dead).toBe(backlog)
  expect(waiting.slow).toBeGreaterThan(backlog / 2)
  expect(waiting.large).toBeGreaterThan(backlog / 2)
  const p99 = took[Math.floor(took.length * 0.99)]
  expect(p99).toBeLessThan(5000)

  // One worker stops, and the other takes over its endpoints. All have something left to deliver, however long that took.
  scene.workers[0]?.kill('SIGTERM')
  await scene.workers[0]?.exit
  const since = performance.now()
  await createContacts(scene, large, 50)
  const countLately = (to: string) =>
    receiver.arrivals.filter(({ at, path }) => at > since && path === to).length
  await vi.waitFor(
    () => {
      const named = [
        ['dead', dead],
        ['slow', slow],
        ...many.map((one, i) => [`large ${i}`, one] as const),
      ] as const
      const few = named
        .map(([name, { path }]) => [name, countLately(path)] as const)
        .filter(([, count]) => count < 16)
      expect(Object.fromEntries(few)).toEqual({})
    },
    { timeout: 60_000, interval: 100 },
  )
  for (const { path } of [dead, slow, ...many, ...healthy])
    expect(receiver.crowd(path)).toBeLessThanOrEqual(8)
  for (const { path } of [dead, slow]) expect(receiver.crowd(path)).toBe(8)
  await annotate(`99 % within ${p99?.toFixed(0)} ms of the request, with ${JSON.stringify(waiting)} waiting.`)
})

test('a worker that started with empty tables delivers a backlog of thousands', async ({ annotate }) => {
  await using scene = await openScene('deliveries_backlog', { workers: 1 })
  const { api, env } = scene
  const keys = await newKeys(env.DATABASE_URL, 100)
  const endpoints: Subscription[] = []
  for (let i = 0; i < 6; i++) endpoints.push(await newEndpoint(scene, keys, 30))
  const isOver = async () => (await countPending(env.DATABASE_URL)) === 0
  const pause = (paused: boolean) =>
    Promise.all(
      endpoints.map(({ id }) =>
        ask(api.base, { method: 'PATCH', path: `/webhooks/${id}`, key: keys.next(), body: { paused } }),
      ),
    )
  await createContacts(scene, keys, 10)
  await vi.waitUntil(isOver, bounds)
  await pause(true)
  await createContacts(scene, keys, backlog)
  expect(await countPending(env.DATABASE_URL)).toBe(backlog * endpoints.length)
  await pause(false)
  const since = performance.now()
  // 48 concurrent requests of 30 ms each would take a sixth of that.
  await vi.waitUntil(isOver, { timeout: 60_000, interval: 100 })
  await annotate(`${backlog * endpoints.length} in ${((performance.now() - since) / 1000).toFixed(1)} s.`)
})
