import { setTimeout as sleep } from 'node:timers/promises'
import { jobsSchema } from '@gable/server/src/kernel/jobs/migrate-jobs.ts'
import { ownerOfApiKey, revokeApiKey } from '@gable/server/src/modules/access/public.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { operatorIn, operatorRuntime } from '@gable/server/test/support/operator.ts'
import { expect, test, vi } from 'vitest'
import { type Question, ask } from './ask.ts'
import { startChanges } from './changes.ts'
import { newKeys } from './keys.ts'
import { bounds, openScene } from './scene.ts'
import { subscribe } from './subscriptions.ts'
import { longest_ms, timePasses } from './time.ts'

vi.setConfig({ testTimeout: 180_000 })

const day = 24 * 3_600_000

/** A workspace in its own scene, with helpers for requests. */
async function openWorkspace(name: string) {
  const scene = await openScene(name, { workers: 1 })
  const { api, receiver, env } = scene
  const keys = await newKeys(env.DATABASE_URL, 60)
  const { workspaceId } = keys
  const send = async (method: string, path: string, body?: unknown) => {
    const question: Question = { method, path, key: keys.next(), body }
    const response = await ask(api.base, question)
    expect(response.status, `${method} ${path}`).toBeLessThan(300)
    return response.body
  }
  return {
    scene,
    keys,
    send,
    /** Creates a contact and returns its id. */
    happen: async (): Promise<string> => (await send('POST', '/contacts', { last_name: 'Delivered' }))['id'],
    subscribe: (eventTypes: string[] = []) =>
      subscribe(api.base, receiver, { workspaceId, key: keys.next(), eventTypes }),
    /** Ids of the records whose events this endpoint received. */
    received: (path: string) =>
      receiver.arrivals
        .filter((arrival) => arrival.path === path)
        .map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}

test('an endpoint that is unsubscribed gets nothing after two seconds, and its deliveries are removed', async () => {
  await using place = await openWorkspace('deliveries_delete')
  const { scene, keys, send } = place
  const { receiver, api, env, random } = scene
  const kept = await place.subscribe()
  const changes = startChanges(api.base, [keys], random, { every_ms: 20 })
  const lastings: number[] = []
  for (let round = 0; round < 3; round++) {
    const gone = await place.subscribe()
    receiver.behaviors.set(gone.path, () => sleep(40 + random.next() * 20, 200))
    await vi.waitUntil(() => receiver.arrivals.filter(({ path }) => path === gone.path).length > 50, bounds)
    await send('DELETE', `/webhooks/${gone.id}`)
    const respondedAt = performance.now()
    await sleep(2500)
    const last = receiver.arrivals.findLast(({ path }) => path === gone.path)
    lastings.push((last?.at ?? 0) - respondedAt)
    expect(receiver.arrivals.at(-1)).toMatchObject({ path: kept.path })
  }
  await changes.stop()
  for (const lasting of lastings) expect(lasting).toBeLessThan(2000)
  // A concurrent change may have written one more delivery. The job that removes those a minute later runs now.
  await asOwner(env.DATABASE_URL, `update ${jobsSchema}._private_jobs set run_at = now()`)
  const forgotten = async () => {
    const [row] = await asOwner<{ count: number }>(
      env.DATABASE_URL,
      'select count(*)::int from webhook_deliveries where webhook_id <> $1',
      [kept.id],
    )
    return row?.count === 0
  }
  await vi.waitUntil(forgotten, bounds)
})

test('a subscription outlives the key that created it', async () => {
  await using place = await openWorkspace('deliveries_revoked')
  const { scene, keys } = place
  const [maker] = keys.keys
  const subscription = await place.subscribe()
  const runtime = operatorRuntime(scene.env.DATABASE_URL)
  await using _database = runtime.database
  const id = maker?.id ?? ''
  const owner = await ownerOfApiKey(runtime.database.directory, id)
  await revokeApiKey(operatorIn(runtime, owner), id)
  const response = await ask(scene.api.base, { path: '/ping', key: maker?.key ?? '' })
  expect(response.status).toBe(401)
  const event = await place.happen()
  await vi.waitUntil(() => place.received(subscription.path).includes(event), bounds)
})

test('a paused endpoint gets nothing until it is resumed, and then every missed event', async () => {
  await using place = await openWorkspace('deliveries_paused')
  const { send, happen, received } = place
  const { id, path } = await place.subscribe()
  const other = await place.subscribe()
  const before = await happen()
  await vi.waitUntil(() => received(path).includes(before), bounds)
  expect((await send('PATCH', `/webhooks/${id}`, { paused: true }))['status']).toBe('paused')
  // Deliveries that were claimed before may still be sent.
  await sleep(1500)
  const quiet = received(path).length
  const meanwhile: string[] = []
  for (let i = 0; i < 30; i++) meanwhile.push(await happen())
  await vi.waitUntil(() => received(other.path).length === 31, bounds)
  await sleep(1000)
  expect(received(path)).toHaveLength(quiet)
  expect((await send('PATCH', `/webhooks/${id}`, { paused: false }))['status']).toBe('active')
  await vi.waitUntil(() => received(path).length === 31, bounds)
  expect(received(path).toSorted()).toEqual([before, ...meanwhile].toSorted())
})

test('an endpoint that fails for five days is disabled and reported, and can recover every missed event', async () => {
  await using place = await openWorkspace('deliveries_disabled')
  const { scene, send, happen, received } = place
  const { receiver, env } = scene
  const { id, path } = await place.subscribe(['contact.created'])
  const watcher = await place.subscribe(['webhook.disabled'])
  receiver.behaviors.set(path, () => 500)
  const begun = new Date(Date.now() - 1000).toISOString()
  const happened: string[] = []
  const failed = async () => {
    const list = await send('GET', `/webhooks/${id}/deliveries?status=failed`)
    return list['data'].length as number
  }
  /** Emits an event whose delivery fails finally. Returns the webhook afterwards. */
  const failing = async () => {
    happened.push(await happen())
    const isOver = async () => {
      await timePasses(env.DATABASE_URL, longest_ms)
      return (await failed()) === happened.length
    }
    await vi.waitUntil(isOver, bounds)
    await sleep(1000)
    return send('GET', `/webhooks/${id}`)
  }
  // Simulates that it has failed since then.
  const since = async (ago_ms: number) => {
    const at = new Date(Date.now() - ago_ms).toISOString()
    await asOwner(env.DATABASE_URL, 'update webhooks set failing_since = $1 where id = $2', [at, id])
    return at
  }
  expect(await failing()).toMatchObject({
    status: 'active',
    failing_since: expect.any(String) as string,
  })
  const almost = await since(5 * day - 60_000)
  expect(await failing()).toMatchObject({ status: 'active', failing_since: almost })
  const long = await since(5 * day)
  expect(await failing()).toMatchObject({
    status: 'disabled',
    failing_since: long,
    disabled_at: expect.any(String) as string,
    disabled_reason: expect.stringContaining(long) as string,
  })
  await vi.waitUntil(() => received(watcher.path).length === 1, bounds)
  const notice = receiver.arrivals.find((arrival) => arrival.path === watcher.path)
  expect(JSON.parse(notice?.body ?? '')).toMatchObject({
    event: 'webhook.disabled',
    data: {
      id,
      url: receiver.origin + path,
      failing_since: long,
      reason: expect.stringContaining(long) as string,
    },
  })

  happened.push(await happen(), await happen())
  await vi.waitUntil(async () => (await failed()) === happened.length, bounds)
  await sleep(500)
  expect(received(path)).toHaveLength(18)

  receiver.behaviors.delete(path)
  const again = await send('PATCH', `/webhooks/${id}`, { paused: false })
  expect(again).toMatchObject({
    status: 'active',
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
  })
  const recovery = await send('POST', `/webhooks/${id}/recover`, { since: begun })
  expect(recovery['deliveries']).toBe(happened.length)
  await vi.waitUntil(() => received(path).length === 18 + happened.length, bounds)
  expect(received(path).slice(18).toSorted()).toEqual(happened.toSorted())
  const last = await happen()
  await vi.waitUntil(() => received(path).includes(last), bounds)
  expect(received(watcher.path)).toHaveLength(1)
})
