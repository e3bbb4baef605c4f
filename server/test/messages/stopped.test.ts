import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { orNotFound } from '#kernel/errors.ts'
import { beginHold, endHold } from '../../src/modules/installation/public.ts'
import {
  insertInstallation,
  removeWorkerClock,
  saveWorkerClock,
  workerClockMs,
} from '../../src/modules/installation/queries.ts'
import { createSweeper } from '../../src/modules/messages/inbound/sweep.ts'
import { createDispatcher } from '../../src/modules/messages/outbox/dispatcher.ts'
import { failStopped } from '../../src/modules/messages/outbox/fail-stopped.ts'
import { findDefaultSender, updateConnection, updateSender } from '../../src/modules/senders/public.ts'
import { asOwner } from '../support/database.ts'
import { type Scene, openScene } from './scripted.ts'

const hours = (n: number) => n * 3_600_000

let scene: Scene
let queue: ReturnType<Scene['app']['runtime']['database']['across']>
/** What the provider does when it is asked what it received. */
let list: () => Promise<[]>
/** Whether simulators stand in for providers. */
let simulates: boolean

beforeAll(async () => {
  scene = await openScene('stopped')
  queue = scene.app.runtime.database.across('gable_sender')
})
afterAll(async () => {
  await queue[Symbol.asyncDispose]()
  await scene[Symbol.asyncDispose]()
})
beforeEach(async () => {
  await scene.begin()
  list = async () => []
  simulates = true
})

const connection = async () => {
  const sender = orNotFound(await findDefaultSender(scene.workspace.ctx.db, 'SMS'))
  return (await scene.agent.get(`/connections/${sender.connection_id}`)).body
}

/** A worker, just started: it sweeps, and then sends what it may. Returns the texts that left. */
async function work(): Promise<(string | null)[]> {
  const runtime = { ...scene.app.runtime, simulatesProviders: simulates }
  const twilio = { ...orNotFound(scene.carriers.twilio), listInbound: () => list() }
  const carriers = { ...scene.carriers, twilio }
  const sweeper = createSweeper(runtime, carriers)
  const dispatcher = createDispatcher(runtime, carriers, queue, sweeper.isFresh)
  const before = scene.script.sent.length
  await dispatcher.look()
  await sweeper.end()
  await dispatcher.look()
  await dispatcher.end()
  return scene.script.sent.slice(before).map(({ body }) => body)
}

const fault = (status: number | null) => async () => {
  throw Object.assign(new Error('Twilio’s list: no luck'), { status })
}

const sent = async (text = 'Hello') => scene.send(await scene.person(), text)

test.for([
  ['the provider is away', fault(null), true, 'provider_unavailable', 'Twilio’s list: no luck'],
  ['the provider fails', fault(503), true, 'provider_unavailable', 'Twilio’s list: no luck'],
  [
    'the provider rejects the credentials',
    fault(401),
    true,
    'credentials_rejected',
    'Twilio’s list: no luck',
  ],
  [
    'the simulated carrier is not in effect',
    fault(null),
    false,
    'not_connected',
    'The connection is simulated, and the simulated carrier is not in effect.',
  ],
] as const)(
  'while %s, a queued message says why it waits, and since when',
  async ([, lists, isSimulated, code, said]) => {
    const { app, read } = scene
    const id = await sent()
    expect(await read(id)).toMatchObject({ status: 'queued', waiting: null })
    list = lists
    simulates = isSimulated
    expect(await work()).toEqual([])
    const since = app.clock.now().toISOString()
    const waiting = {
      code,
      message: expect.any(String),
      since,
      fails_at: new Date(app.clock.now().getTime() + hours(72)).toISOString(),
    }
    expect(await read(id)).toMatchObject({ status: 'queued', error: null, waiting })
    expect((await scene.agent.get('/messages?status=queued')).body['data']).toMatchObject([{ id, waiting }])
    expect(await connection()).toMatchObject({ stopped: { code, message: said, since } })
    app.clock.advance(hours(1))
    const other = await sent('Second')
    expect(await work()).toEqual([])
    expect((await connection())['stopped']).toMatchObject({ since })
    expect(await read(other)).toMatchObject({
      waiting: {
        ...waiting,
        fails_at: new Date(app.clock.now().getTime() + hours(72)).toISOString(),
      },
    })
    list = async () => []
    simulates = true
    expect(await work()).toEqual(['Hello', 'Second'])
    expect(await read(id)).toMatchObject({ status: 'sent', waiting: null })
    expect((await connection())['stopped']).toBeNull()
  },
)

test('new credentials end the wait: the next sweep shows whether they work', async () => {
  const id = await sent()
  list = fault(401)
  await work()
  expect(await scene.read(id)).toMatchObject({ waiting: { code: 'credentials_rejected' } })
  await updateConnection(scene.workspace.ctx, (await connection())['id'], { secret: 'new ones' })
  expect(await scene.read(id)).toMatchObject({ status: 'queued', waiting: null })
})

test('a message fails once it has waited 72 hours for a stopped connection, not sooner, and the next ones later', async () => {
  const { app, read, eventsOf } = scene
  const run = () => failStopped.handle(app.runtime)
  const first = await sent()
  list = fault(null)
  await work()
  app.clock.advance(hours(1))
  const second = await sent('Second')
  app.clock.advance(hours(71) - 1)
  await run()
  expect(await read(first)).toMatchObject({ status: 'queued' })
  app.clock.advance(1)
  await run()
  expect(await read(first)).toMatchObject({
    status: 'failed',
    waiting: null,
    error: {
      code: 'provider_unavailable',
      carrier_code: null,
      message:
        'The message waited for 72 hours. Gable cannot reach the provider of the sender, or read what it received.',
    },
  })
  expect(await eventsOf(first)).toContain('message.failed')
  expect(await read(second)).toMatchObject({ status: 'queued' })
  app.clock.advance(hours(1))
  await run()
  expect(await read(second)).toMatchObject({ status: 'failed' })
  expect(await scene.count('outbox')).toBe(0)
})

test('more messages than fit in one transaction fail, and one that waits only for its turn does not', async () => {
  const { app, read } = scene
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push(await sent(`Text ${i}`))
  await asOwner(
    app.databaseUrl,
    `insert into outbox (workspace_id, message_id, sender_id, recipient, lane, segments, state, due_at, attempts, turns, created_at)
     select workspace_id, 'gone' || n, sender_id, 'r' || n, 0, 1, 'waiting', due_at, 0, 0, created_at
     from (select * from outbox limit 1) one, generate_series(1, 150) n`,
  )
  app.clock.advance(hours(80))
  await failStopped.handle(app.runtime)
  expect((await read(ids[0] ?? ''))['status']).toBe('queued')
  list = fault(null)
  await work()
  await failStopped.handle(app.runtime)
  expect((await read(ids[0] ?? ''))['status']).toBe('queued')
  app.clock.advance(hours(72))
  await failStopped.handle(app.runtime)
  for (const id of ids) expect((await read(id))['status']).toBe('failed')
  expect(await scene.count('outbox')).toBe(0)
})

test('a message in a restored database says that a person must decide', async () => {
  const { app, read } = scene
  const id = await sent()
  const since = app.clock.now().toISOString()
  await scene.workspace.ctx.directory.transaction(async (tx) => insertInstallation(tx, Buffer.from('check')))
  await beginHold(scene.workspace.ctx.directory, { from: null, to: since })
  const { waiting } = await read(id)
  await scene.workspace.ctx.directory.transaction((tx) => endHold(tx, since))
  expect(waiting).toMatchObject({ code: 'restored', since, fails_at: null })
  expect(await read(id)).toMatchObject({ waiting: null })
})

/** As when every worker has ended. */
const endWorkers = () =>
  asOwner(
    scene.app.databaseUrl,
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'gable gable_sender'`,
  )

test('a message that has been due for two minutes says that no worker is running', async () => {
  const { app, read } = scene
  const id = await sent()
  const since = app.clock.now().toISOString()
  await endWorkers()
  app.clock.advance(119_999)
  expect(await read(id)).toMatchObject({ status: 'queued', waiting: null })
  app.clock.advance(1)
  expect(await read(id)).toMatchObject({
    status: 'queued',
    waiting: { code: 'no_worker', message: 'No worker is running.', since, fails_at: null },
  })
  expect(await work()).toEqual(['Hello'])
  expect(await read(id)).toMatchObject({ status: 'sent', waiting: null })
})

test('a message says that the clocks of all workers are wrong, wherever they run', async () => {
  const { app, read } = scene
  const id = await sent()
  const since = app.clock.now().toISOString()
  const { directory } = scene.workspace.ctx
  const [here, there] = [randomUUID(), randomUUID()]
  const record = (worker: string, aheadMs: number) =>
    saveWorkerClock(directory, app.clock, { id: worker, aheadMs })
  const wrong = { waiting: { code: 'clock_wrong', since, fails_at: null } }
  await record(here, -30_001)
  await record(there, 30_001)
  expect(await read(id)).toMatchObject(wrong)
  await record(there, 30_000)
  expect(await read(id)).toMatchObject({ waiting: null })
  await removeWorkerClock(directory, app.clock, there)
  expect(await read(id)).toMatchObject(wrong)
  // A worker that was killed says no more.
  app.clock.advance(3 * workerClockMs)
  expect(await read(id)).toMatchObject({ waiting: null })
  await removeWorkerClock(directory, app.clock, here)
})

test('a message says that the clock is wrong', async () => {
  const { app, read } = scene
  const id = await sent()
  const since = app.clock.now().toISOString()
  const { shared } = app.clock
  try {
    app.clock.shared = () => new Date(app.clock.now().getTime() - 30_001)
    expect(await read(id)).toMatchObject({ waiting: { code: 'clock_wrong', since, fails_at: null } })
    app.clock.shared = () => new Date(app.clock.now().getTime() + 29_999)
    expect(await read(id)).toMatchObject({ waiting: null })
  } finally {
    Object.assign(app.clock, { shared })
  }
})

test('a message says that the daily limit of its brand is used up, until the next day', async () => {
  const { app, read, workspace } = scene
  const { id: senderId } = orNotFound(await findDefaultSender(workspace.ctx.db, 'SMS'))
  await updateSender(workspace.ctx, senderId, { brand: 'BN1', brand_daily_limit: 1 })
  const first = await sent('First')
  const second = await sent('Second')
  expect(await read(second)).toMatchObject({ status: 'queued', waiting: null })
  expect(await work()).toEqual(['First'])
  const since = app.clock.now().toISOString()
  app.clock.advance(hours(1))
  await work()
  expect(await read(second)).toMatchObject({
    status: 'queued',
    waiting: { code: 'daily_limit', since, fails_at: null },
  })
  expect(await read(first)).toMatchObject({ status: 'sent', waiting: null })
  app.clock.advance(hours(24))
  expect(await read(second)).toMatchObject({ waiting: null })
  expect(await work()).toEqual(['Second'])
})
