import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@gable/server/src/kernel/clock.ts'
import { createContext } from '@gable/server/src/kernel/context.ts'
import { createLog } from '@gable/server/src/kernel/log.ts'
import { openRuntime } from '@gable/server/src/runtime.ts'
import { connected } from '../databases.ts'
import { percentile } from '../statistics.ts'
import { fillBacklog } from './backlog.ts'
import { type Helper, startHelper } from './processes.ts'
import type { Arrivals, ReceiverQuestion } from './receiver.ts'
import type { WorkerQuestion } from './worker.ts'

export interface LatencyCase {
  endpoints: number
  /** The number of endpoints that accept the request and never respond. */
  dead: number
  eventsPerSecond: number
  seconds: number
  origin: string
  appSecret: string
}

export interface Latency {
  events: number
  p50: number
  p99: number
  slowest: number
}

/** Milliseconds from the commit of an event to the arrival of its first attempt at the responsive endpoints. */
export async function latency(
  url: string,
  receiver: Helper<ReceiverQuestion, Arrivals>,
  { endpoints, dead, eventsPerSecond, seconds, origin, appSecret }: LatencyCase,
): Promise<Latency> {
  await fillBacklog(url, { endpoints, deliveries: 0, origin, appSecret, body: '', ofWorkspace: 1 })
  const workspaces = await connected(url, async (client) => {
    const { rows } = await client.query<{ workspace_id: string }>(
      'select workspace_id from webhooks order by id',
    )
    const ids = rows.map(({ workspace_id }) => workspace_id)
    await client.query(
      `update webhooks set url = $2 || '/dead/' || id where workspace_id = any ($1::text[])`,
      [ids.slice(0, dead), origin],
    )
    return ids
  })
  await receiver.ask({ ask: 'forget' })
  await using runtime = openBenchRuntime(url, appSecret)
  await using worker = await startHelper<WorkerQuestion, unknown>('worker.ts')
  await worker.ask({ ask: 'start', databaseUrl: url, appSecret })
  const committed = await emit(runtime, workspaces, eventsPerSecond, seconds)
  await sleep(3000)
  const { byEvent } = await receiver.ask({ ask: 'arrivals' })
  const healthy = new Set(workspaces.slice(dead))
  const arrived = new Map(byEvent)
  const waits = [...committed]
    .filter(([, { workspaceId }]) => healthy.has(workspaceId))
    .map(([event, { at }]) => {
      const arrival = arrived.get(event)
      if (arrival === undefined) throw new Error(`Event ${event} did not arrive within 3 s of the last.`)
      return Math.max(0, arrival - at)
    })
    .toSorted((a, b) => a - b)
  return {
    events: waits.length,
    p50: percentile(waits, 0.5),
    p99: percentile(waits, 0.99),
    slowest: waits.at(-1) ?? Number.NaN,
  }
}

const openBenchRuntime = (databaseUrl: string, appSecret: string) => {
  const runtime = openRuntime({
    databaseUrl,
    appSecrets: [appSecret],
    clock: systemClock,
    log: createLog('warn'),
    checkRows: false,
    egress: { allowHttp: 'none', allowPrivate: 'none' },
  })
  return {
    ...runtime,
    async [Symbol.asyncDispose]() {
      await runtime.egress[Symbol.asyncDispose]()
      await runtime.database[Symbol.asyncDispose]()
    },
  }
}

/**
 * Emits events at an even pace, in one workspace after another. Returns when each was committed, in epoch
 * milliseconds.
 */
async function emit(
  runtime: ReturnType<typeof openBenchRuntime>,
  workspaces: readonly string[],
  eventsPerSecond: number,
  seconds: number,
): Promise<ReadonlyMap<string, { workspaceId: string; at: number }>> {
  const type = runtime.eventTypes.get('contact.stage_changed')
  if (type === undefined) throw new Error('There is no contact.stage_changed.')
  const committed = new Map<string, { workspaceId: string; at: number }>()
  const running: Promise<void>[] = []
  const started = performance.now()
  for (let i = 0; i < eventsPerSecond * seconds; i++) {
    await sleep(Math.max(0, started + (i * 1000) / eventsPerSecond - performance.now()))
    const workspaceId = workspaces[i % workspaces.length] ?? ''
    const actor = { type: 'system', id: null, name: 'bench' }
    const ctx = createContext(runtime, { workspaceId, actor, scopes: new Set() })
    const data = { ...type.example, id: 'cmi8h2k5p0001zq8r4t6w9x3y' }
    running.push(
      ctx
        .transaction((tx) => tx.emit(type, data))
        .then((row) => void committed.set(row.id, { workspaceId, at: Date.now() })),
    )
  }
  await Promise.all(running)
  return committed
}
