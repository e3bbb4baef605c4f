import { join } from 'node:path'
import { withLock } from '@gable/postgres/lock.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type DataDirectory, newDataDirectory } from './data-directory.ts'
import { newDatabase } from './databases.ts'
import { type RunningGable, startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'
import { type Load, allResponded, startLoad } from './load.ts'

vi.setConfig({ testTimeout: 180_000 })

let data: DataDirectory
beforeAll(async () => void (data = await newDataDirectory({ demo: false })))
afterAll(() => data[Symbol.asyncDispose]())

const done = [200, 201]
const bounds = { timeout: 20_000, interval: 10 }

test.for([
  ['is killed', 'SIGKILL'],
  ['is shut down', 'SIGINT'],
] as const)(
  'when PostgreSQL %s, every response is 503 until it is restarted, and nothing is lost',
  async ([, signal]) => {
    await using gable = await startGable({ DATA_DIR: data.path })
    const url = await data.databaseUrl()
    const load = startLoad(gable.base, await newKeys(url, 150))
    await vi.waitUntil(() => allResponded(load, 0, done), bounds)

    // While this lock is held, PostgreSQL is not restarted.
    const [from, to] = await withLock(join(data.path, 'postgres.lock'), async () => {
      process.kill((await data.postmaster()) ?? NaN, signal)
      await vi.waitUntil(async () => (await data.postmaster()) === undefined, bounds)
      await vi.waitUntil(async () => (await fetch(`${gable.origin}/readyz`)).status === 503, bounds)
      expect((await fetch(`${gable.origin}/livez`)).status).toBe(200)
      const away = performance.now()
      await vi.waitUntil(() => allResponded(load, away, [503]), bounds)
      return [away, performance.now()]
    })
    await vi.waitUntil(
      () =>
        asOwner(url, 'select').then(
          () => true,
          () => false,
        ),
      bounds,
    )
    await expectBackWithin5s(gable, load)
    await vi.waitUntil(async () => (await fetch(`${gable.origin}/readyz`)).status === 200, bounds)
    await load.stop()

    const meanwhile = load.responses.filter(
      ({ askedAt, response }) => askedAt > from && askedAt < to && response.status !== 503,
    )
    expect(meanwhile).toEqual([])
    await expectHonest(load, url)
    gable.kill('SIGTERM')
    expect(await gable.exit).toEqual({ code: 0, signal: null })
  },
)

test('repeatedly terminated connections cause some 503s and lose no acknowledged data', async () => {
  const env = await newDatabase('sessions')
  await using gable = await startGable(env)
  const url = env.DATABASE_URL
  const load = startLoad(gable.base, await newKeys(url, 150))
  let ended = 0
  for (let i = 0; i < 10; i++) {
    const since = performance.now()
    await vi.waitUntil(() => allResponded(load, since, done), bounds)
    const rows = await asOwner(
      url,
      `
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
    ended += rows.length
  }
  await expectBackWithin5s(gable, load)
  await load.stop()
  expect(ended).toBeGreaterThan(30)
  await expectHonest(load, url)
  gable.kill('SIGTERM')
  expect(await gable.exit).toEqual({ code: 0, signal: null })
})

async function expectBackWithin5s(gable: RunningGable, load: Load): Promise<void> {
  const since = performance.now()
  await gable.until(
    () =>
      allResponded(load, since, done) &&
      load.responses.slice(-50).every(({ response }) => done.includes(response.status)),
  )
  expect(performance.now() - since).toBeLessThan(5000)
}

/** Checks that every response was a success or a 503 in the documented shape without SQL, and that acknowledged records exist. */
async function expectHonest({ responses, broken }: Load, url: string): Promise<void> {
  expect(broken).toEqual([])
  expect(new Set(responses.map(({ response }) => response.status))).toEqual(new Set([...done, 503]))
  for (const { response } of responses.filter(({ response: { status } }) => status === 503)) {
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(response.body).toEqual({
      error: {
        code: 'unavailable',
        message: 'The service is temporarily unavailable. Try again shortly.',
        request_id: response.headers.get('x-request-id'),
        doc_url: expect.stringMatching(/\/docs\/errors#unavailable$/),
      },
    })
  }
  const acknowledged = responses
    .filter(({ response }) => response.status === 201)
    .map(({ response }) => response.body['id'] as string)
  const lost = await asOwner(
    url,
    `
    select id from unnest($1::text[]) as acknowledged (id)
    where id not in (select id from contacts union all select id from events)`,
    [acknowledged],
  )
  expect(lost).toEqual([])
}
