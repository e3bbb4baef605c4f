import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, seededRandom } from '@gable/server/src/seed/random.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { vi } from 'vitest'
import { newDatabase } from './databases.ts'
import { type RunningGable, startGable } from './gable-process.ts'
import { type Keys, newKeys } from './keys.ts'
import { type Receiver, startReceiver } from './receiver.ts'
import { type Subscription, subscribe } from './subscriptions.ts'
import { type Names, longest_ms, timePasses } from './time.ts'
import { type WorkerProcess, startWorker, towardsLoopback } from './worker-process.ts'

/** A server with the role api, separate workers, and the endpoints that they deliver to. */
export interface Scene extends AsyncDisposable {
  env: { DATABASE_URL: string; APP_SECRET: string }
  api: RunningGable
  receiver: Receiver
  workers: WorkerProcess[]
  /** Names of workers that were killed or are suspended. */
  gone: Names[]
  /** Whether it runs in real time. */
  real: boolean
  random: Random
}

export const bounds = { timeout: 30_000, interval: 20 }

export interface SceneOptions {
  workers: number
  seed?: number
  /** By default a new database. */
  env?: Scene['env']
}

export async function openScene(name: string, { workers, seed = 1, env }: SceneOptions): Promise<Scene> {
  await using opened = new AsyncDisposableStack()
  const place = env ?? (await newDatabase(name))
  const receiver = opened.use(await startReceiver())
  const api = opened.use(await startGable({ ...place, ...towardsLoopback, ROLE: 'api' }))
  const scene: Scene = {
    env: place,
    api,
    receiver,
    workers: [],
    gone: [],
    real: false,
    random: seededRandom(seed),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
  opened.defer(async () => {
    await Promise.all(scene.workers.map((worker) => worker[Symbol.asyncDispose]()))
  })
  for (let i = 0; i < workers; i++) scene.workers.push(await startWorker(place))
  const all = opened.move()
  return scene
}

/** Several workspaces, each with one endpoint for all events, one for some, and one for none of those emitted here. */
export async function newTenants({ env, api, receiver, random }: Scene, count: number) {
  const tenants: Keys[] = []
  const subscriptions: Subscription[] = []
  for (let i = 0; i < count; i++) {
    const keys = await newKeys(env.DATABASE_URL, 60)
    const { workspaceId } = keys
    for (const eventTypes of [[], ['contact.created', 'contact.stage_changed'], ['webhook.disabled']]) {
      const made = await subscribe(api.base, receiver, { workspaceId, key: keys.next(), eventTypes })
      receiver.behaviors.set(made.path, () => sleep(random.next() * 30, 200))
      subscriptions.push(made)
    }
    tenants.push(keys)
  }
  return { tenants, subscriptions }
}

/** Starts a worker in place of one that is gone. */
export async function replace(scene: Scene, gone: WorkerProcess): Promise<void> {
  await gone[Symbol.asyncDispose]()
  scene.gone.push(gone.names)
  scene.workers = [...scene.workers.filter((one) => one !== gone), await startWorker(scene.env)]
}

/** Waits until every event so far is delivered. Time is moved forward unless the scene runs in real time. */
export async function untilDelivered({ env, gone, real }: Scene): Promise<void> {
  const url = env.DATABASE_URL
  const before = new Date()
  const isOver = async () => {
    if (!real) await timePasses(url, longest_ms, gone)
    return (await countPending(url, before)) === 0
  }
  await vi.waitUntil(isOver, { timeout: real ? 200_000 : 30_000, interval: 100 })
}

/** Pending deliveries of one webhook or of all. */
export async function countPending(url: string, before = new Date(), webhookId?: string): Promise<number> {
  const [row] = await asOwner<{ count: number }>(
    url,
    `select count(*)::int from webhook_deliveries
     where status = 'pending' and created_at < $1 and webhook_id = coalesce($2, webhook_id)`,
    [before, webhookId],
  )
  return row?.count ?? 0
}
