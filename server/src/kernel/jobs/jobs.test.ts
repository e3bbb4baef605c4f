import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { Type } from 'typebox'
import { expect, test, vi } from 'vitest'
import { raw } from '#kernel/db/sql.ts'
import { type TestApp, testApp } from '#test/support/app.ts'
import { asOwner, freshDatabase } from '#test/support/database.ts'
import { dropJobs } from './drop-jobs.ts'
import { job } from './job.ts'
import { jobsSchema } from './migrate-jobs.ts'
import { startWorker } from './worker.ts'

test('a job runs in its workspace only if its transaction commits', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs') })
  const { ctx } = await app.workspace()
  const ran: string[] = []
  const greet = job('greet', {
    payload: Type.Object({ name: Type.String() }),
    handle: async ({ workspaceId }, { name }) => void ran.push(`${workspaceId} ${name}`),
  })
  await using _worker = await startWorker(app.runtime, { jobs: [greet], periodicJobs: [] })
  const queue = (name: string, fail: boolean) =>
    ctx.transaction(async (tx) => {
      tx.enqueue(greet, { name })
      await tx.flush()
      if (fail) throw new Error('no')
    })
  await expect(queue('Zoe', true)).rejects.toThrow('no')
  await queue('Ada', false)
  await queue('Eda', false)
  await vi.waitFor(
    () => expect(ran.toSorted()).toEqual([`${ctx.workspaceId} Ada`, `${ctx.workspaceId} Eda`]),
    30_000,
  )
})

test('slow jobs do not delay other jobs, however many there are', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_slow') })
  const { ctx } = await app.workspace()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const ran: string[] = []
  const payload = Type.Object({ name: Type.String() })
  const think = job('think', { runner: 'slow', payload, handle: () => released })
  const note = job('note', { payload, handle: async (_ctx, { name }) => void ran.push(name) })
  await using _worker = await startWorker(app.runtime, { jobs: [think, note], periodicJobs: [] })
  await ctx.transaction(async (tx) => {
    for (let n = 0; n < 12; n++) tx.enqueue(think, { name: `${n}` })
    tx.enqueue(note, { name: 'quick' })
  })
  await vi.waitFor(() => expect(ran).toEqual(['quick']), 30_000)
  release()
})

test('most prompt jobs run within a second of their time despite slow jobs', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_prompt') })
  const { ctx } = await app.workspace()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const late: number[] = []
  const think = job('think', { runner: 'slow', payload: Type.Object({}), handle: () => released })
  const respond = job('respond', {
    runner: 'prompt',
    payload: Type.Object({ due: Type.Integer() }),
    handle: async (_ctx, { due }) => void late.push(Date.now() - due),
  })
  await using _worker = await startWorker(app.runtime, { jobs: [think, respond], periodicJobs: [] })
  const began = Date.now()
  const dues = [700, 1100, 1500, 1900, 2300].map((ms) => began + ms)
  await ctx.transaction(async (tx) => {
    for (let n = 0; n < 6; n++) tx.enqueue(think, {})
    for (const due of dues) tx.enqueue(respond, { due }, { runAt: new Date(due) })
  })
  await vi.waitFor(() => expect(late).toHaveLength(dues.length), 30_000)
  release()
  // Leave room for a busy machine.
  expect(late.toSorted((a, b) => a - b)[2]).toBeLessThan(1000)
})

test('while nothing may begin, a worker runs no job; then it does', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_may_not_begin') })
  const { ctx } = await app.workspace()
  const ran: string[] = []
  const greet = job('greet', {
    payload: Type.Object({ name: Type.String() }),
    handle: async (_ctx, { name }) => void ran.push(name),
  })
  let mayBegin = false
  await using _worker = await startWorker(
    { ...app.runtime, mayBegin: () => mayBegin },
    { jobs: [greet], periodicJobs: [] },
  )
  await ctx.transaction(async (tx) => tx.enqueue(greet, { name: 'Ada' }))
  await sleep(1500)
  expect(ran).toEqual([])
  mayBegin = true
  await vi.waitFor(() => expect(ran).toEqual(['Ada']), 30_000)
})

test('a job does not run before its time', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_later') })
  const { ctx } = await app.workspace()
  const ran: string[] = []
  const note = job('note', {
    payload: Type.Object({ name: Type.String() }),
    handle: async (_ctx, { name }) => void ran.push(name),
  })
  await using _worker = await startWorker(app.runtime, { jobs: [note], periodicJobs: [] })
  await ctx.transaction(async (tx) => {
    tx.enqueue(note, { name: 'tomorrow' }, { runAt: new Date(Date.now() + 86_400_000) })
    tx.enqueue(note, { name: 'now' }, { runAt: new Date(Date.now() - 1000) })
  })
  await vi.waitFor(() => expect(ran).toEqual(['now']), 30_000)
})

const kept = ({ databaseUrl }: TestApp) =>
  asOwner(databaseUrl, `select attempts, locked_at, locked_by from ${jobsSchema}._private_jobs`)

const unlocked = { attempts: 0, locked_at: null, locked_by: null }

/** A runtime that gets connections for its jobs through `connect`. */
function connecting({ runtime }: TestApp, connect: (real: () => Promise<pg.PoolClient>) => Promise<unknown>) {
  const { pool } = runtime.database
  const own = {
    connect: (...callback: [] | [() => void]) =>
      callback.length === 0 ? connect(() => pool.connect()) : pool.connect(...callback),
  }
  const database = { ...runtime.database, pool: Object.assign(Object.create(pool) as pg.Pool, own) }
  return { ...runtime, database }
}

test('a stopping worker finishes running jobs, starts no others, and leaves those unlocked', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_stop') })
  const { ctx } = await app.workspace()
  const begun: number[] = []
  const ended: number[] = []
  const gate = Promise.withResolvers<void>()
  const count = job('count', {
    payload: Type.Object({ n: Type.Integer() }),
    async handle(_ctx, { n }) {
      begun.push(n)
      await gate.promise
      ended.push(n)
    },
  })
  const jobs = { jobs: [count], periodicJobs: [], concurrency: 3 }
  const listeners = process.listenerCount('SIGTERM')
  // The writes that a job leaves behind take a while.
  const runtime = connecting(app, async (real) => {
    if (ended.length > 0) await sleep(100)
    return real()
  })
  const worker = await startWorker(runtime, jobs)
  expect(process.listenerCount('SIGTERM'), 'who serves decides what a signal means').toBe(listeners)
  await ctx.transaction(async (tx) => {
    for (const n of [1, 2, 3, 4, 5]) tx.enqueue(count, { n })
  })
  await vi.waitFor(() => expect(begun).toHaveLength(3), 30_000)
  let stopped = false
  const stopping = Promise.resolve(worker[Symbol.asyncDispose]()).then(() => (stopped = true))
  await sleep(100)
  expect([stopped, ended]).toEqual([false, []])
  gate.resolve()
  await stopping
  expect([begun.length, ended.length]).toEqual([3, 3])
  expect(await kept(app)).toEqual([unlocked, unlocked])
  await using _next = await startWorker(app.runtime, jobs)
  await vi.waitFor(async () => expect(await kept(app)).toEqual([]), 30_000)
  expect(ended.toSorted()).toEqual([1, 2, 3, 4, 5])
})

test('an idle worker does not query the queue for its own notifications', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_idle') })
  let looks = 0
  const counted = new WeakSet<object>()
  const runtime = connecting(app, async (real) => {
    const client = await real()
    if (!counted.has(client)) {
      counted.add(client)
      const query = client.query.bind(client) as (...all: unknown[]) => unknown
      const count = (statement: string | pg.QueryConfig, ...rest: unknown[]) => {
        const text = typeof statement === 'string' ? statement : statement.text
        if (text.includes('is_available = true')) looks++
        return query(statement, ...rest)
      }
      Object.assign(client, { query: count })
    }
    return client
  })
  const none = job('none', { payload: Type.Object({}), handle: async () => {} })
  await using _worker = await startWorker(runtime, { jobs: [none], periodicJobs: [] })
  await vi.waitFor(() => expect(looks).toBeGreaterThan(0), 30_000)
  const notified = Promise.withResolvers<void>()
  await using own = app.runtime.database.across('gable_app', [], () => notified.resolve())
  await sleep(300)
  const before = looks
  await own.run(raw('listen "jobs:insert"'))
  await notified.promise
  await sleep(300)
  expect(looks).toBe(before)
})

/** How a database can be unavailable: it rejects connections, or it breaks the connection on a query. */
const absences = {
  denies: () => Promise.reject(Object.assign(new Error('denied'), { code: 'ECONNRESET' })),
  async breaks() {
    return { query: () => Promise.reject(new Error('terminated')), release: () => undefined }
  },
}

test.concurrent.each(Object.entries(absences))(
  'a database that %s connections when jobs end or fail crashes no process and leaves no job locked',
  async (what, connect) => {
    await using app = await testApp({ databaseUrl: await freshDatabase(`jobs_${what}`) })
    const { ctx } = await app.workspace()
    const gate = Promise.withResolvers<void>()
    let begun = 0
    let failures = 0
    let away = false
    const runtime = connecting(app, (real) => {
      if (!away) return real()
      failures++
      return connect()
    })
    const end = job('end', {
      payload: Type.Object({ well: Type.Boolean() }),
      async handle(_ctx, { well }) {
        if (++begun === 2) gate.resolve()
        await gate.promise
        away = true
        if (!well) throw new Error('no')
      },
    })
    await using _worker = await startWorker(runtime, { jobs: [end], periodicJobs: [], concurrency: 2 })
    await ctx.transaction(async (tx) => {
      for (const well of [true, false]) tx.enqueue(end, { well })
    })
    await vi.waitFor(() => expect(failures).toBeGreaterThan(2), 30_000)
    away = false
    await vi.waitFor(async () => expect(await kept(app)).toEqual([{ ...unlocked, attempts: 1 }]), 30_000)
  },
)

test('dropped jobs do not run: those of these names that were queued before a time', async () => {
  await using app = await testApp({ databaseUrl: await freshDatabase('jobs_dropped') })
  const { ctx } = await app.workspace()
  const ran: string[] = []
  const payload = Type.Object({ at: Type.String() })
  const jobs = ['post', 'note'].map((name) =>
    job(name, { payload, handle: async (_ctx, { at }) => void ran.push(`${name} ${at}`) }),
  )
  const queue = (at: string) => ctx.transaction(async (tx) => jobs.forEach((one) => tx.enqueue(one, { at })))
  await queue('before')
  const [row] = await asOwner<{ now: Date }>(app.databaseUrl, 'select clock_timestamp() as now')
  await queue('after')
  expect(await dropJobs(app.runtime.database.directory, ['post'], row?.now ?? new Date(0))).toBe(1)
  await using _worker = await startWorker(app.runtime, { jobs, periodicJobs: [] })
  await vi.waitFor(() => expect(ran.toSorted()).toEqual(['note after', 'note before', 'post after']), 30_000)
})
