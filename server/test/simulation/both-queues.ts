import type { Exchange } from '#kernel/egress/egress.ts'
import { newId } from '#kernel/ids.ts'
import type { TestClock } from '#test/support/clock.ts'
import type { ClaimResult, ClaimRequest, Settlement } from '../../src/modules/deliveries/dispatcher/ports.ts'
import type { OutgoingDelivery } from '../../src/modules/deliveries/dispatcher/queue.ts'
import type { Random } from '../../src/seed/random.ts'
import { settleInModel } from './model-settle.ts'
import type { QueueModel } from './queue-model.ts'
import { type RealQueue, deliveryIdOf } from './real-queue.ts'

/** How far each worker's clock is off, in milliseconds. */
const workers = { a: 0, b: 1500, c: -1500 }
type WorkerName = keyof typeof workers
const names: readonly WorkerName[] = ['a', 'b', 'c']

const scopes = ['contacts:read', 'deals:read']
const workspaces = ['w1', 'w2']

/** A claimed delivery, which both queues have returned. */
interface Leased {
  worker: WorkerName
  ready: OutgoingDelivery
  claimedUntil: number
}

interface ClaimLines {
  after: string
  rows: string[]
}

/** Runs each operation on the queue in PostgreSQL and then on its model. */
export interface BothQueues {
  /** Takes a random step. Returns its description. */
  step(): Promise<string>
  subscribe(workspaceId: string, ids: readonly string[]): Promise<void>
  publish(workspaceId: string): Promise<string>
  claim(worker: WorkerName, request: ClaimRequest): Promise<string>
  /** The result of the last claim in each queue. */
  results: { real: ClaimLines | undefined; model: ClaimLines | undefined }
  /** How often each outcome occurred. */
  counts: { claimed: number; over: number; settled: number; late: number }
}

export function bothQueues(
  real: RealQueue,
  model: QueueModel,
  { random, clock }: { random: Random; clock: TestClock },
): BothQueues {
  const hooks = new Map<string, string>()
  const known: { webhookId: string; id: string }[] = []
  const leased: Leased[] = []
  const counts = { claimed: 0, over: 0, settled: 0, late: 0 }
  const results: BothQueues['results'] = { real: undefined, model: undefined }
  const now = () => clock.now().getTime()
  const some = () => random.pick([...hooks.keys()])
  const workspaceOf = (id: string) => hooks.get(id) ?? ''

  async function addHook(): Promise<string> {
    const id = `h${random.integer(10, 99)}${hooks.size}`
    const workspaceId = random.pick(workspaces)
    const its = random.chance(0.7) ? scopes : scopes.slice(1)
    await subscribe(workspaceId, [id], its)
    return `${id} is made in ${workspaceId}`
  }

  async function subscribe(workspaceId: string, ids: readonly string[], its = scopes): Promise<void> {
    await real.addHooks(workspaceId, ids, its)
    for (const id of ids) {
      hooks.set(id, workspaceId)
      model.addHook({ workspaceId, id, scopes: its, paused: false, disabled: false, failing: false })
    }
  }

  async function publish(workspaceId = random.pick(workspaces)): Promise<string> {
    const scope = random.pick(scopes)
    const eventId = newId(clock.now())
    await real.publish(workspaceId, eventId, scope)
    for (const webhookId of hooks.keys()) {
      const hook = model.hook(webhookId)
      if (hook?.workspaceId !== workspaceId || !hook.scopes.includes(scope)) continue
      const id = deliveryIdOf(eventId, webhookId)
      known.push({ webhookId, id })
      model.insert({ workspaceId, webhookId, id, scope, dueAt: now() })
    }
    return `something happens in ${workspaceId}, seen with ${scope}`
  }

  function drawOrder(worker: WorkerName): ClaimRequest {
    const all = [...hooks.keys()]
    const quotas = random.sample(all, random.integer(0, 4))
    return {
      now: now() + workers[worker],
      after: random.chance(0.5) ? '' : some(),
      limit: random.pick([1000, 1000, 7, 3, 1]),
      quotas: new Map(quotas.map((id) => [id, random.integer(0, 4)])),
      refill: random
        .sample(all, random.pick([0, 1, 3]))
        .map((webhookId) => ({ workspaceId: workspaceOf(webhookId), webhookId })),
      scan: random.chance(0.8),
      idle: random.chance(0.1),
      defaultQuota: random.integer(1, 4),
      workspaceQuotas: new Map(random.chance(0.3) ? [[random.pick(workspaces), random.integer(0, 3)]] : []),
      defaultWorkspaceQuota: random.pick([2, 100]),
      failingQuota: random.pick([0, 1, 3, 100]),
    }
  }

  async function claim(worker = random.pick(names), request = drawOrder(worker)): Promise<string> {
    const { deliveries, after }: ClaimResult<OutgoingDelivery> = await real.claim(worker, request)
    const claimed = model.claim({ ...request, worker, wall: now(), present: now() })
    const lines = (rows: readonly { id: string; attempt: number; failing: boolean }[]) =>
      rows.map(({ id, attempt, failing }) => `${id}#${attempt} ${failing}`).sort()
    results.real = { after, rows: lines(deliveries) }
    const rows = claimed.rows.map(({ row: { id, attempt }, failing }) => ({ id, attempt, failing }))
    results.model = { after: claimed.after, rows: lines(rows) }
    for (const { row } of claimed.rows) {
      const ready = deliveries.find(({ id }) => id === row.id)
      if (ready !== undefined) leased.push({ worker, ready, claimedUntil: row.claimedUntil ?? 0 })
    }
    counts.claimed += claimed.rows.length
    counts.over += claimed.over.length
    return `${worker} claims with ${JSON.stringify({ ...request, quotas: [...request.quotas], workspaceQuotas: [...request.workspaceQuotas] })}`
  }

  function drawResult(): Settlement<OutgoingDelivery, Exchange>['result'] {
    if (random.chance(0.2)) return undefined
    const ok = random.chance(0.3)
    const outcome: Exchange = { status: ok ? 200 : 500, ok, answer: null, failure: null, duration_ms: 1 }
    const status = ok ? 'delivered' : random.pick(['pending', 'pending', 'pending', 'failed'] as const)
    const dueAt = now() + random.integer(-60_000, 60_000)
    return { outcome, next: { status, dueAt }, startedAt: now() }
  }

  async function settle(): Promise<string> {
    const worker = random.pick(names)
    const its = random.sample(
      leased.filter((one) => one.worker === worker),
      random.integer(1, 6),
    )
    const settled = its.map(({ ready }) => ({ delivery: ready, result: drawResult() }))
    // Some settled deliveries stay in the list and are settled again later, whatever has happened to them since.
    for (const one of its) if (random.chance(0.8)) leased.splice(leased.indexOf(one), 1)
    await real.settle(worker, settled)
    const { written, late } = settleInModel(
      model,
      worker,
      settled.map(({ delivery, result }, i) => ({
        delivery: { ...delivery, claimedUntil: its[i]?.claimedUntil ?? 0 },
        result,
      })),
    )
    counts.settled += written.length
    counts.late += late.length
    return `${worker} settles ${settled.map(({ delivery, result }) => `${delivery.id}#${delivery.attempt} ${result?.next.status}`).join(', ')}`
  }

  async function change(): Promise<string> {
    const id = some()
    const hook = model.hook(id)
    if (hook === undefined) return 'nothing'
    const to = random.chance(0.4)
    switch (random.pick(['paused', 'disabled', 'scopes', 'removed'])) {
      case 'paused':
        await real.setPaused(id, to)
        hook.paused = to
        return `${id} ${to ? 'is paused' : 'goes on'}`
      case 'disabled':
        await real.setDisabled(id, to)
        hook.disabled = to
        return `${id} ${to ? 'is disabled' : 'is enabled'}`
      case 'scopes':
        hook.scopes = to ? [] : scopes
        await real.setScopes(id, hook.scopes)
        return `${id} has ${to ? 'no' : 'all'} scopes`
      default:
        if (!to || hooks.size < 4) return 'nothing'
        await real.removeHook(id)
        model.removeHook(id)
        return `${id} is gone`
    }
  }

  async function advance(): Promise<string> {
    const id = some()
    const worker = random.pick(names)
    switch (random.pick(['requeue', 'fail', 'forget', 'release', 'disown'])) {
      case 'requeue': {
        for (const one of random.sample(known, 4)) {
          await real.requeue(workspaceOf(one.webhookId), one.webhookId, one.id)
          model.requeue(one.webhookId, one.id, now())
        }
        return 'some are requeued'
      }
      case 'fail':
        await real.failPending(workspaceOf(id), id)
        model.failPending(id, now())
        return `what is pending of ${id} fails`
      case 'forget':
        if (model.hook(id) !== undefined) return 'nothing'
        await real.forget(workspaceOf(id), id)
        model.forget(id)
        return `${id} is forgotten`
      case 'release':
        await real.release(worker)
        model.release(worker)
        return `${worker} lets go`
      default:
        await real.dropClaims(id)
        model.dropClaims(id)
        return `what is under way of ${id} loses its claim`
    }
  }

  async function pass(): Promise<string> {
    // Sometimes the clock was wrong, and is set back.
    const ms = random.chance(0.03)
      ? -10_800_000
      : random.pick([1, 100, 1000, 5000, 15_000, 20_000, 75_000, 130_000])
    clock.advance(ms)
    return `${ms} ms go by`
  }

  async function step(): Promise<string> {
    if (hooks.size < 3) return addHook()
    const action = random.weighted([
      [() => publish(), 5],
      [() => claim(), 8],
      [settle, 5],
      [pass, 3],
      [change, 1],
      [advance, 1],
      [addHook, hooks.size < 8 ? 0.5 : 0.01],
    ])
    return action()
  }

  return { step, subscribe, publish, claim, results, counts }
}
