import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Clock, later } from '#kernel/clock.ts'
import type { Database } from '#kernel/db/database.ts'
import { createLog } from '#kernel/log.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { idleWorkers } from './idle-workers.ts'
import { listenTo } from './listening.ts'
import { type Looked, pollLoop } from './poll-loop.ts'

let app: TestApp
beforeAll(async () => void (app = await testApp({ databaseUrl: await freshDatabase('poll_loop') })))
afterAll(() => app[Symbol.asyncDispose]())

/** A clock that jumps to the end of each pause, after `restMs` of real time if an idle loop rests. */
function jumpingClock(restMs: number): Clock & { pauses: number[] } {
  let at = new Date('2026-03-02T15:00:00Z')
  const pauses: number[] = []
  return {
    pauses,
    now: () => at,
    elapsed: () => at.getTime(),
    after(ms, call) {
      const timer = setTimeout(
        () => {
          pauses.push(ms)
          at = later(at, ms)
          call()
        },
        ms < 500 ? 1 : restMs,
      )
      return () => clearTimeout(timer)
    },
  }
}

/** Real milliseconds within which a notification arrives. */
const heardMs = 300

/** A clock that ends only short pauses. */
const patientClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  after(ms, call) {
    const timer = ms < 500 ? setTimeout(call, 1) : undefined
    return () => clearTimeout(timer)
  },
}

/** A database whose notifications a pooler swallows. */
const deafened = (database: Database): Database => ({
  ...database,
  across: (role, before) => database.across(role, before),
})

interface Options {
  channel: string
  clock: Clock
  database?: Database
  look?: (looks: number) => Promise<Looked>
  warn?: (line: object, text: string) => void
  mayBegin?: () => boolean
}

function start({
  channel,
  clock,
  database = app.runtime.database,
  look,
  warn,
  mayBegin = () => true,
}: Options) {
  const counts = { looks: 0, statements: 0 }
  const counting = <F extends (...args: never[]) => unknown>(statement: F): F =>
    ((...args: never[]) => {
      counts.statements++
      return statement(...args)
    }) as F
  const { directory } = database
  const counted: Database = {
    ...database,
    directory: { ...directory, run: counting(directory.run) },
    across(...from) {
      const queue = database.across(...from)
      return { ...queue, run: counting(queue.run), one: (row) => counting(queue.one(row)) }
    },
  }
  const log = createLog('silent')
  if (warn !== undefined) log.warn = warn as typeof log.warn
  const runtime = { database: counted, clock, mayBegin, log }
  const workers = idleWorkers(channel)
  const listening = listenTo(runtime, workers, { role: 'gable_sender' })
  const loop = pollLoop(runtime, { complaint: 'not looked', listening }, async () => {
    counts.looks++
    return look === undefined ? { found: false } : look(counts.looks)
  })
  return {
    counts,
    workers,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      await listening[Symbol.asyncDispose]()
    },
  }
}

/** Looks and statements within one minute, two minutes after the start. */
async function inAMinute({ counts }: ReturnType<typeof start>, { elapsed }: Clock, from: number) {
  const until = (ms: number) => vi.waitUntil(() => elapsed() - from >= ms, { timeout: 60_000, interval: 1 })
  await until(120_000)
  const before = { ...counts }
  await until(180_000)
  return { looks: counts.looks - before.looks, statements: counts.statements - before.statements }
}

test('an idle loop that hears its own notifications looks every 30 seconds, with one statement of its own', async () => {
  const clock = jumpingClock(heardMs)
  const from = clock.elapsed()
  await using loop = start({ channel: 'hears', clock })
  expect(await inAMinute(loop, clock, from)).toEqual({ looks: 2, statements: 2 })
})

test('an idle loop whose notifications are swallowed looks every second, and the process says so once', async () => {
  const clock = jumpingClock(1)
  const from = clock.elapsed()
  const said: string[] = []
  const database = deafened(app.runtime.database)
  const warn = (_: object, text: string) => void said.push(text)
  await using loop = start({ channel: 'deaf', clock, database, warn })
  const { looks, statements } = await inAMinute(loop, clock, from)
  expect([looks, statements]).toEqual([60, 60])
  expect(said).toEqual([expect.stringContaining('notifications of PostgreSQL do not arrive')])
})

test('an idle loop looks when the next thing is due, and every second at what is due but cannot be done', async () => {
  const clock = jumpingClock(heardMs)
  const due = later(clock.now(), 100_000)
  let begun = 0
  await using _ = start({
    channel: 'due',
    clock,
    async look() {
      if (begun === 0 && clock.now() >= due) begun = clock.elapsed()
      return { found: false, dueAt: due }
    },
  })
  await vi.waitUntil(() => begun > 0 && clock.elapsed() - begun > 10_000, { timeout: 60_000 })
  expect(begun).toBe(due.getTime())
  expect(clock.pauses.slice(-5)).toEqual([1000, 1000, 1000, 1000, 1000])
})

test('a loop does not look while nothing may begin', async () => {
  const clock = jumpingClock(1)
  let mayBegin = false
  await using loop = start({ channel: 'wrong', clock, mayBegin: () => mayBegin })
  await vi.waitUntil(() => clock.pauses.length > 20, { timeout: 30_000, interval: 1 })
  expect(loop.counts.looks).toBe(0)
  mayBegin = true
  await vi.waitUntil(() => loop.counts.looks > 0, { timeout: 30_000, interval: 1 })
})

const written = async (channel: string) => {
  const { ctx } = await app.workspace()
  await ctx.transaction(async (tx) => tx.write`select ${idleWorkers(channel).wake}`)
}

/** Starts a loop that rests until it is woken, and waits until it does. */
async function resting(channel: string, look?: Options['look']) {
  const loop = start({ channel, clock: patientClock, ...(look && { look }) })
  await vi.waitUntil(() => loop.counts.looks >= 21, { timeout: 30_000 })
  await new Promise((resolve) => setTimeout(resolve, 100))
  return loop
}

test('what is written while an idle loop looks makes it look again', async () => {
  let isWritten = false
  await using loop = await resting('during', async (looks) => {
    // The first look once the loop has rested.
    if (looks > 21 && !isWritten) {
      isWritten = true
      await written('during')
    }
    return { found: false }
  })
  const { looks } = loop.counts
  await written('during')
  await vi.waitUntil(() => loop.counts.looks >= looks + 2, { timeout: 30_000 })
  expect(isWritten).toBe(true)
})

test('an idle loop looks at once when its connection breaks, and is woken through the next one', async () => {
  await using loop = await resting('broken')
  const { looks } = loop.counts
  await asOwner(
    app.databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'gable gable_sender'`,
  )
  await vi.waitUntil(() => loop.counts.looks > looks, { timeout: 30_000 })
  await new Promise((resolve) => setTimeout(resolve, 200))
  const after = loop.counts.looks
  await written('broken')
  await vi.waitFor(() => expect(loop.counts.looks).toBeGreaterThan(after), 30_000)
})
