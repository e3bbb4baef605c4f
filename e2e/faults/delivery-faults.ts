import { setTimeout as sleep } from 'node:timers/promises'
import { claimLock } from '@gable/server/src/modules/deliveries/dispatcher/queue-queries.ts'
import { asOwner } from '@gable/server/test/support/database.ts'
import pg from 'pg'
import { vi } from 'vitest'
import type { Arrival } from './receiver.ts'
import { type Scene, bounds, replace, untilDelivered } from './scene.ts'
import type { WorkerProcess } from './worker-process.ts'

/** A fault of a worker, and its recovery. */
interface Fault {
  strike(worker: WorkerProcess, scene: Scene): Promise<void> | void
  mend(worker: WorkerProcess, scene: Scene): Promise<void>
}

export const faults: Record<string, Fault> = {
  'is killed': {
    strike: (worker) => worker.kill('SIGKILL'),
    mend: (worker, scene) => replace(scene, worker),
  },
  'is killed, and all others with it': {
    strike: (_worker, { workers }) => workers.forEach((worker) => worker.kill('SIGKILL')),
    async mend(_worker, scene) {
      for (const worker of scene.workers) await replace(scene, worker)
    },
  },
  'is suspended until another has taken over': {
    strike: (worker) => worker.kill('SIGSTOP'),
    async mend(worker, scene) {
      scene.gone.push(worker.names)
      await untilDelivered(scene)
      scene.gone.pop()
      worker.kill('SIGCONT')
    },
  },
  'loses its connections to the database': {
    async strike({ line }, { env }) {
      await asOwner(
        env.DATABASE_URL,
        'select pg_terminate_backend(pid) from pg_stat_activity where client_port = any ($1::int[])',
        [line.ports()],
      )
    },
    mend: async (worker) => worker.kill('SIGCONT'),
  },
  'no longer receives from the database, which receives from it': {
    strike: ({ line }) => line.muffle(),
    async mend(worker) {
      worker.kill('SIGCONT')
      await sleep(300)
      worker.line.cut()
    },
  },
}

type Strike = (worker: WorkerProcess) => Promise<void> | void

/** Waits for the moment, causes the fault and continues. Returns the worker. */
type Moment = (scene: Scene, strike: Strike) => Promise<WorkerProcess>

export const moments: Record<string, Moment> = {
  'between a request and its response': async (scene, strike) => {
    const { arrival, respond } = await scene.receiver.hold()
    const worker = await holderOf(scene, arrival)
    await strike(worker)
    respond()
    return worker
  },
  'between a response and its settlement': async (scene, strike) => {
    const { arrival, respond } = await scene.receiver.hold()
    const worker = await holderOf(scene, arrival)
    // Prevents it from settling the delivery.
    worker.kill('SIGSTOP')
    await sleep(10)
    respond()
    await sleep(10)
    await strike(worker)
    return worker
  },
  'during a settlement': async (scene, strike) => {
    const { arrival, respond } = await scene.receiver.hold()
    const row = 'select from webhook_deliveries where id = $1 for update'
    await using held = await lock(scene, row, [arrival.deliveryId])
    respond()
    const worker = await held.waiter()
    await strike(worker)
    await sleep(50)
    return worker
  },
  'during a claim': async (scene, strike) => {
    await using held = await lock(scene, claimLock.text, claimLock.values)
    const worker = await held.waiter()
    await strike(worker)
    await sleep(50)
    return worker
  },
  'at any moment': async ({ workers, random }, strike) => {
    await sleep(random.next() * 400)
    const worker = random.pick(workers)
    await strike(worker)
    return worker
  },
}

/** The worker that has claimed this delivery. */
export async function holderOf({ env, workers }: Scene, { deliveryId }: Arrival): Promise<WorkerProcess> {
  const [row] = await asOwner<{ claimed_by: string | null }>(
    env.DATABASE_URL,
    'select claimed_by from webhook_deliveries where id = $1',
    [deliveryId],
  )
  const name = row?.claimed_by ?? ''
  const worker = workers.find(({ names: { from, to } }) => name >= from && name < to)
  if (worker === undefined) throw new Error(`No worker has claimed ${deliveryId}.`)
  return worker
}

/** A lock of the test, until it is disposed. */
interface Lock extends AsyncDisposable {
  /** The first worker that waits for it. */
  waiter(): Promise<WorkerProcess>
}

async function lock({ env, workers }: Scene, text: string, values: unknown[]): Promise<Lock> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL, application_name: 'gable tests' })
  await client.connect()
  await client.query('begin')
  await client.query(text, values)
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const findWaiter = async () => {
    const waiting = await asOwner<{ client_port: number }>(
      env.DATABASE_URL,
      'select client_port from pg_stat_activity where $1 = any (pg_blocking_pids(pid))',
      [rows[0]?.pid],
    )
    return workers.find(({ line }) => waiting.some((one) => line.ports().includes(one.client_port)))
  }
  return {
    async waiter() {
      const worker = await vi.waitUntil(findWaiter, bounds)
      if (worker === undefined) throw new Error('No worker waits.')
      return worker
    },
    [Symbol.asyncDispose]: () => client.end(),
  }
}
