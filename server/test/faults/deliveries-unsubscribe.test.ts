import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { openDatabase } from '#kernel/db/database.ts'
import { jobsSchema } from '#kernel/jobs/migrate-jobs.ts'
import { createLog } from '#kernel/log.ts'
import { asOwner } from '#test/support/database.ts'
import { apiKeysOwner, revokeApiKey } from '../../src/modules/access/public.ts'
import { type Question, ask } from './ask.ts'
import { startChanges } from './changes.ts'
import { newKeys } from './keys.ts'
import { bounds, openScene } from './scene.ts'
import { subscribe } from './subscriptions.ts'
import { longest_ms, timePasses } from './time.ts'

vi.setConfig({ testTimeout: 90_000 })

const day = 24 * 3_600_000

/** A workspace on a scene of its own, with ways to ask for things in it. */
async function openWorkspace(name: string) {
  const scene = await openScene(name, { workers: 1 })
  const { api, receiver, env } = scene
  const keys = await newKeys(env.DATABASE_URL, 60)
  const { workspaceId } = keys
  const send = async (method: string, path: string, body?: unknown) => {
    const question: Question = { method, path, key: keys.next(), body }
    const answer = await ask(api.base, question)
    expect(answer.status, `${method} ${path}`).toBeLessThan(300)
    return answer.body
  }
  return {
    scene,
    keys,
    send,
    /** Creates a contact; answers its id. */
    happen: async (): Promise<string> => (await send('POST', '/contacts', { last_name: 'Told' }))['id'],
    subscribe: (eventTypes: string[] = []) =>
      subscribe(api.base, receiver, { workspaceId, key: keys.next(), eventTypes }),
    /** Ids of what has been told to this endpoint. */
    told: (path: string) =>
      receiver.arrivals
        .filter((arrival) => arrival.path === path)
        .map(({ body }) => (JSON.parse(body) as { data: { id: string } }).data.id),
    [Symbol.asyncDispose]: () => scene[Symbol.asyncDispose](),
  }
}

test('an endpoint that is unsubscribed in the midst of its deliveries gets nothing a second later, and nothing is kept for it', async () => {
  await using place = await openWorkspace('deliveries_delete')
  const { scene, keys, send } = place
  const { receiver, api, env, random } = scene
  const kept = await place.subscribe()
  const changes = startChanges(api.base, [keys], random, { every_ms: 20 })
  const lastings: number[] = []
  for (let round = 0; round < 3; round++) {
    const gone = await place.subscribe()
    receiver.behaviours.set(gone.path, () => sleep(40 + random.next() * 20, 200))
    await vi.waitUntil(() => receiver.arrivals.filter(({ path }) => path === gone.path).length > 50, bounds)
    await send('DELETE', `/webhooks/${gone.id}`)
    const answered = performance.now()
    await sleep(2500)
    const last = receiver.arrivals.findLast(({ path }) => path === gone.path)
    lastings.push((last?.at ?? 0) - answered)
    expect(receiver.arrivals.at(-1)).toMatchObject({ path: kept.path })
  }
  await changes.stop()
  for (const lasting of lastings) expect(lasting).toBeLessThan(2000)
  // A change that was under way may have written one more; what looks for those a minute later does so now.
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

test('a subscription outlives the key that made it', async () => {
  await using place = await openWorkspace('deliveries_revoked')
  const { scene, keys } = place
  const [maker] = keys.keys
  const subscription = await place.subscribe()
  await using database = openDatabase({
    url: scene.env.DATABASE_URL,
    log: createLog('silent'),
    checked: true,
  })
  const id = maker?.id ?? ''
  const owner = await apiKeysOwner(database.directory, id)
  await revokeApiKey(database.directory, owner, id, new Date())
  const answer = await ask(scene.api.base, { path: '/ping', key: maker?.key ?? '' })
  expect(answer.status).toBe(401)
  const event = await place.happen()
  await vi.waitUntil(() => place.told(subscription.path).includes(event), bounds)
})

test('an endpoint that is paused gets nothing, and everything when it is resumed', async () => {
  await using place = await openWorkspace('deliveries_paused')
  const { send, happen, told } = place
  const { id, path } = await place.subscribe()
  const other = await place.subscribe()
  const before = await happen()
  await vi.waitUntil(() => told(path).includes(before), bounds)
  expect((await send('PATCH', `/webhooks/${id}`, { paused: true }))['status']).toBe('paused')
  // What was claimed before may still be sent.
  await sleep(1500)
  const quiet = told(path).length
  const meanwhile: string[] = []
  for (let i = 0; i < 30; i++) meanwhile.push(await happen())
  await vi.waitUntil(() => told(other.path).length === 31, bounds)
  await sleep(1000)
  expect(told(path)).toHaveLength(quiet)
  expect((await send('PATCH', `/webhooks/${id}`, { paused: false }))['status']).toBe('active')
  await vi.waitUntil(() => told(path).length === 31, bounds)
  expect(told(path).toSorted()).toEqual([before, ...meanwhile].toSorted())
})

test('an endpoint that has failed for five days is given up with a word to the others; taken into use again and recovered, it gets all that it missed', async () => {
  await using place = await openWorkspace('deliveries_disabled')
  const { scene, send, happen, told } = place
  const { receiver, env } = scene
  const { id, path } = await place.subscribe(['contact.created'])
  const watcher = await place.subscribe(['webhook.disabled'])
  receiver.behaviours.set(path, () => 500)
  const begun = new Date(Date.now() - 1000).toISOString()
  const happened: string[] = []
  const failed = async () => {
    const list = await send('GET', `/webhooks/${id}/deliveries?status=failed`)
    return list['data'].length as number
  }
  /** One more event whose delivery fails for good; answers what became of the webhook. */
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
  // As if it had failed since then.
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
  await vi.waitUntil(() => told(watcher.path).length === 1, bounds)
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
  expect(told(path)).toHaveLength(18)

  receiver.behaviours.delete(path)
  const again = await send('PATCH', `/webhooks/${id}`, { paused: false })
  expect(again).toMatchObject({
    status: 'active',
    failing_since: null,
    disabled_at: null,
    disabled_reason: null,
  })
  const recovery = await send('POST', `/webhooks/${id}/recover`, { since: begun })
  expect(recovery['deliveries']).toBe(happened.length)
  await vi.waitUntil(() => told(path).length === 18 + happened.length, bounds)
  expect(told(path).slice(18).toSorted()).toEqual(happened.toSorted())
  const last = await happen()
  await vi.waitUntil(() => told(path).includes(last), bounds)
  expect(told(watcher.path)).toHaveLength(1)
})
