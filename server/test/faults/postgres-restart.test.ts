import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { withLock } from '#kernel/db/embedded/lock.ts'
import { asOwner } from '#test/support/database.ts'
import { newDataDirectory } from './data-directory.ts'
import { newDatabase } from './databases.ts'
import { type RunningGable, startGable } from './gable-process.ts'
import { newKeys } from './keys.ts'
import { type Load, allAnswered, startLoad } from './load.ts'

vi.setConfig({ testTimeout: 90_000 })

const done = [200, 201]
const bounds = { timeout: 20_000, interval: 10 }

test.for([
  ['is killed', 'SIGKILL'],
  ['is shut down', 'SIGINT'],
] as const)(
  'while PostgreSQL %s and away every answer is 503; it comes back by itself, and nothing is lost',
  async ([, signal]) => {
    await using data = await newDataDirectory()
    await using gable = await startGable({ DATA_DIR: data.path })
    const url = await data.databaseUrl()
    const load = startLoad(gable.base, await newKeys(url, 150))
    await vi.waitUntil(() => allAnswered(load, 0, done), bounds)

    // Whoever holds this lock keeps PostgreSQL from being started again, so that it is away for as long as we look.
    const [from, to] = await withLock(join(data.path, 'postgres.lock'), async () => {
      process.kill((await data.postmaster()) ?? NaN, signal)
      await vi.waitUntil(async () => (await data.postmaster()) === undefined, bounds)
      await vi.waitUntil(async () => (await fetch(`${gable.origin}/readyz`)).status === 503, bounds)
      expect((await fetch(`${gable.origin}/livez`)).status).toBe(200)
      const away = performance.now()
      await vi.waitUntil(() => allAnswered(load, away, [503]), bounds)
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

    const meanwhile = load.answers.filter(
      ({ askedAt, answer }) => askedAt > from && askedAt < to && answer.status !== 503,
    )
    expect(meanwhile).toEqual([])
    await expectHonest(load, url)
    gable.kill('SIGTERM')
    expect(await gable.exit).toEqual({ code: 0, signal: null })
  },
)

test('connections that are ended again and again cost some 503s, and nothing that was acknowledged', async () => {
  const env = await newDatabase('sessions')
  await using gable = await startGable(env)
  const url = env.DATABASE_URL
  const load = startLoad(gable.base, await newKeys(url, 150))
  let ended = 0
  for (let i = 0; i < 10; i++) {
    const since = performance.now()
    await vi.waitUntil(() => allAnswered(load, since, done), bounds)
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
      allAnswered(load, since, done) &&
      load.answers.slice(-50).every(({ answer }) => done.includes(answer.status)),
  )
  expect(performance.now() - since).toBeLessThan(5000)
}

/** Every answer was yes or "try again", in the one shape and without a word of SQL; what was acknowledged is there. */
async function expectHonest({ answers, broken }: Load, url: string): Promise<void> {
  expect(broken).toEqual([])
  expect(new Set(answers.map(({ answer }) => answer.status))).toEqual(new Set([...done, 503]))
  for (const { answer } of answers.filter(({ answer: { status } }) => status === 503)) {
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(answer.body).toEqual({
      error: {
        code: 'unavailable',
        message: 'The service cannot answer right now. Try again shortly.',
        request_id: answer.headers.get('x-request-id'),
      },
    })
  }
  const acknowledged = answers
    .filter(({ answer }) => answer.status === 201)
    .map(({ answer }) => answer.body['id'] as string)
  const lost = await asOwner(
    url,
    `
    select id from unnest($1::text[]) as acknowledged (id)
    where id not in (select id from contacts union all select id from events)`,
    [acknowledged],
  )
  expect(lost).toEqual([])
}
