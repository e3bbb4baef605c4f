import { expect, test, vi } from 'vitest'
import { openDatabase } from '#kernel/db/database.ts'
import { createLog } from '#kernel/log.ts'
import { asOwner } from '#test/support/database.ts'
import { apiKeysOwner, revokeApiKey } from '../../src/modules/access/public.ts'
import { ask } from './ask.ts'
import { newDatabase } from './databases.ts'
import { startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'

vi.setConfig({ testTimeout: 90_000 })

/** Two servers on one database, and keys for them. */
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

test('a key has 120 requests a minute over all processes, however its requests are spread', async () => {
  await using two = await startTwo('rate', 1)
  const key = two.keys.next()
  const requests = Array.from({ length: 150 }, () =>
    two.bases.map((base) => ask(base, { path: '/ping', key })),
  )
  const answers = await Promise.all(requests.flat())
  expect(answers).toHaveLength(300)
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  // The clock is real: where the minute turned on the way, each of the two has its own 120.
  for (const window of Map.groupBy(answers, ({ headers }) => headers.get('x-ratelimit-reset')).values()) {
    expect(window.filter(({ status }) => status === 200)).toHaveLength(Math.min(window.length, 120))
  }
})

test('a key that is revoked is refused from the next request on, by every process', async () => {
  await using two = await startTwo('revoke', 10)
  await using database = openDatabase({ url: two.url, log: createLog('silent'), checked: true })
  for (const { id, key } of two.keys.keys) {
    const statuses = () =>
      Promise.all(two.bases.map(async (base) => (await ask(base, { path: '/ping', key })).status))
    expect(await statuses()).toEqual([200, 200])
    const owner = await apiKeysOwner(database.directory, id)
    await revokeApiKey(database.directory, owner, id, new Date())
    expect(await statuses()).toEqual([401, 401])
  }
})

test('an Idempotency-Key that is sent to two processes at once makes one contact', async () => {
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
    const answers = await Promise.all([...two.bases, ...two.bases].map(send))
    const made = answers.filter(({ status }) => status === 201)
    const first = made[0]?.text
    expect(made.length).toBeGreaterThan(0)
    for (const { status, text, body } of answers) {
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
