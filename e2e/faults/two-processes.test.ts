import { ownerOfApiKey, revokeApiKey } from '@gable/server/src/modules/access/public.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { operatorIn, operatorRuntime } from '@gable/server/test/support/operator.ts'
import { expect, test, vi } from 'vitest'
import { ask } from './ask.ts'
import { newDatabase } from './databases.ts'
import { startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 180_000 })

/** Two servers on one database, and API keys. */
async function startTwo(name: string, keyCount: number) {
  await using opened = new AsyncDisposableStack()
  const env = await newDatabase(name)
  const servers = await Promise.all([startGable(env), startGable({ ...env, ROLE: 'api' })])
  for (const server of servers) opened.use(server)
  const keys = await newKeys(env.DATABASE_URL, keyCount)
  const all = opened.move()
  return {
    url: env.DATABASE_URL,
    bases: servers.map(({ base }) => base),
    keys,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

test('a key gets 120 requests per minute across all processes', async () => {
  await using two = await startTwo('rate', 1)
  const key = two.keys.next()
  const requests = Array.from({ length: 150 }, () =>
    two.bases.map((base) => ask(base, { path: '/ping', key })),
  )
  const responses = await Promise.all(requests.flat())
  expect(responses).toHaveLength(300)
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 429]))
  // The clock is real: if a new minute began meanwhile, each of the two has its own 120.
  for (const window of Map.groupBy(responses, ({ headers }) => headers.get('x-ratelimit-reset')).values()) {
    expect(window.filter(({ status }) => status === 200)).toHaveLength(Math.min(window.length, 120))
  }
})

test('every process rejects a revoked key from the next request on', async () => {
  await using two = await startTwo('revoke', 10)
  const runtime = operatorRuntime(two.url)
  await using _database = runtime.database
  for (const { id, key } of two.keys.keys) {
    const statuses = () =>
      Promise.all(two.bases.map(async (base) => (await ask(base, { path: '/ping', key })).status))
    expect(await statuses()).toEqual([200, 200])
    const owner = await ownerOfApiKey(runtime.database.directory, id)
    await revokeApiKey(operatorIn(runtime, owner), id)
    expect(await statuses()).toEqual([401, 401])
  }
})

test('an Idempotency-Key sent to two processes concurrently creates one contact', async () => {
  await using two = await startTwo('double', 4)
  for (let round = 0; round < 30; round++) {
    const key = two.keys.next()
    const send = (base: string) =>
      ask(base, {
        method: 'POST',
        path: '/contacts',
        key,
        idempotencyKey: `round-${round}`,
        body: { last_name: `Round ${round}` },
      })
    const responses = await Promise.all([...two.bases, ...two.bases].map(send))
    const made = responses.filter(({ status }) => status === 201)
    const first = made[0]?.text
    expect(made.length).toBeGreaterThan(0)
    for (const { status, text, body } of responses) {
      if (status === 201) expect(text).toBe(first)
      else expect(body.error.code).toBe('idempotency_in_progress')
    }
    for (const base of two.bases) expect((await send(base)).text).toBe(first)
  }
  const rows = await asOwner<{ last_name: string; count: number }>(
    two.url,
    'select last_name, count(*)::int from contacts group by last_name having count(*) <> 1',
  )
  expect(rows).toEqual([])
  expect((await asOwner<{ count: number }>(two.url, 'select count(*)::int from contacts'))[0]?.count).toBe(30)
})
