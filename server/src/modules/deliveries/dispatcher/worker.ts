import { createAlarm } from './alarm.ts'
import {
  type Claimed,
  type EndpointQueue,
  countLeased,
  isDegraded,
  newEndpointQueue,
  prefetchTarget,
  recordExchange,
} from './endpoint-queue.ts'
import { type Limits, defaultLimits } from './limits.ts'
import type { ClaimResult, ClaimRequest, Ports, Settlement } from './ports.ts'
import { type AttemptOutcome, leaseMs, maxWaitMs, nextState } from './schedule.ts'
import { type Semaphore, acquire, newSemaphore, release, wakeNext } from './semaphore.ts'

export interface Worker {
  start(): void
  /** Scans at once. The queue calls this when a delivery is written while the worker is idle. */
  scanNow(): void
  /** Claims nothing more, releases waiting deliveries, and calls back once everything in flight is settled. */
  stop(done: () => void): void
}

/**
 * Claims, sends and settles deliveries until stopped. Makes all decisions here and does all I/O through the ports, so
 * that the same code runs in a server and in a simulation.
 *
 * - Each endpoint has a queue. It sends up to `concurrency` attempts at once and prefetches what the endpoint handles
 *   in half a second. Failing and slow endpoints share a limited number of permits, and the endpoints of a workspace do
 *   too, so they cannot starve the others.
 * - A delivery that waits for more than a second after its claim is released, because its attempt must begin, end and
 *   be settled within the lease.
 * - Results are settled in batches, one batch at a time.
 */
export function createWorker<D extends Claimed, O extends AttemptOutcome>(
  ports: Ports<D, O>,
  limits: Limits = defaultLimits,
): Worker {
  type Queue = EndpointQueue<D>
  const queues = new Map<string, Queue>()
  const total = newSemaphore<Queue>(limits.total)
  const degraded = newSemaphore<Queue>(limits.degraded)
  const workspaces = new Map<string, { permits: Semaphore<Queue>; leased: number }>()
  /** Queues that may send, in turn. */
  const ready: Queue[] = []
  /** Queues that ran low since the last claim. */
  const refill = new Set<Queue>()
  /** Deliveries that were sent or released, to be settled before their lease ends. */
  const unsettled: { settlement: Settlement<D, O>; until: number }[] = []
  let leased = 0
  let scanDue = true
  let claiming = false
  let after = ''
  let emptyScans = 0
  let settling = false
  let settleFailed = false
  let settleDue = false
  let stopped: (() => void) | undefined

  const settleLater = createAlarm(ports, () => {
    settleDue = true
    pump()
  })

  const scanLater = createAlarm(ports, () => {
    scanDue = true
    releaseStale()
    pump()
  })

  function workspaceOf({ workspaceId }: Queue) {
    const known = workspaces.get(workspaceId) ?? {
      permits: newSemaphore<Queue>(limits.perWorkspace),
      leased: 0,
    }
    workspaces.set(workspaceId, known)
    return known
  }

  function markReady(queue: Queue): void {
    if (queue.isReady || queue.waiting.length === 0 || queue.inFlight >= queue.concurrency) return
    queue.isReady = true
    ready.push(queue)
  }

  function sendAll(): void {
    for (let queue = ready.shift(); queue !== undefined; queue = ready.shift()) {
      const shared = [workspaceOf(queue).permits, total]
      const permits = isDegraded(queue, limits) ? [degraded, ...shared] : shared
      // A queue that must wait stays marked as ready; the next release puts it back in the list.
      if (acquire(permits, queue)) {
        queue.isReady = false
        if (!sendNext(queue, permits)) ready.push(...release(permits))
        markReady(queue)
      }
      // If this queue was woken for a permit that it did not take, wake the next waiter.
      ready.push(...wakeNext([degraded, ...shared]))
    }
  }

  function sendNext(queue: Queue, permits: readonly Semaphore<Queue>[]): boolean {
    for (let first = queue.waiting.shift(); first !== undefined; first = queue.waiting.shift()) {
      const { delivery, claimedAt } = first
      const startedAt = ports.now()
      if (startedAt - claimedAt > maxWaitMs) {
        releaseClaim(delivery, claimedAt)
        continue
      }
      queue.inFlight++
      ports.send(delivery, (outcome) => {
        const endedAt = ports.now()
        queue.inFlight--
        recordExchange(queue, outcome.ok, endedAt - startedAt, limits)
        const next = nextState(outcome, delivery.attempt, endedAt)
        const settlement = { delivery, result: { outcome, next, startedAt } }
        unsettled.push({ settlement, until: claimedAt + leaseMs })
        for (const waiter of release(permits)) ready.push(waiter)
        markReady(queue)
        if (queue.mayHaveMore && countLeased(queue) <= prefetchTarget(queue, limits) / 2) refill.add(queue)
        pump()
      })
      return true
    }
    return false
  }

  function settleAll(): void {
    if (unsettled.length === 0 || settling) return
    if (!settleDue && settleFailed) return settleLater(limits.retryMs)
    if (!settleDue && unsettled.length < limits.perSettlement / 2) return settleLater(limits.gatherMs)
    const batch = unsettled.splice(0, limits.perSettlement)
    settling = true
    settleDue = false
    ports.settle(
      batch.map(({ settlement }) => settlement),
      (written) => {
        settling = false
        settleFailed = !written
        const at = ports.now()
        // Drop a result that cannot be settled within its lease: the queue treats the attempt as unreported.
        for (const one of batch) {
          if (!written && at < one.until) unsettled.push(one)
          else untrack(one.settlement.delivery)
        }
        pump()
      },
    )
  }

  function untrack({ workspaceId }: D): void {
    leased--
    const workspace = workspaces.get(workspaceId)
    if (workspace === undefined) return
    workspace.leased--
    if (workspace.leased === 0) workspaces.delete(workspaceId)
  }

  function claimRequest(now: number): ClaimRequest {
    const quotas = new Map<string, number>()
    let leasedByDegraded = 0
    for (const queue of queues.values()) {
      const count = countLeased(queue)
      if (isDegraded(queue, limits)) leasedByDegraded += count
      if (count > 0 || refill.has(queue))
        quotas.set(queue.webhookId, Math.max(0, prefetchTarget(queue, limits) - count))
    }
    const workspaceQuotas = new Map<string, number>()
    for (const [id, { permits, leased: count }] of workspaces) {
      const isFull = permits.used >= permits.limit
      workspaceQuotas.set(id, isFull ? 0 : Math.max(0, limits.leasedPerWorkspace - count))
    }
    return {
      now,
      after,
      limit: Math.min(limits.perClaim, limits.leased - leased),
      quotas,
      refill: [...refill].map(({ workspaceId, webhookId }) => ({ workspaceId, webhookId })),
      scan: scanDue,
      idle: emptyScans >= limits.eagerPolls,
      defaultQuota: limits.firstQuota,
      workspaceQuotas,
      defaultWorkspaceQuota: limits.leasedPerWorkspace,
      failingQuota: Math.max(0, limits.degraded - leasedByDegraded),
    }
  }

  function claimMore(): void {
    if (stopped !== undefined || claiming || !(scanDue || refill.size > 0)) return
    if (!hasCapacity()) return scanAfter(limits.pollMs)
    const request = claimRequest(ports.now())
    claiming = true
    scanDue = false
    refill.clear()
    ports.claim(request, (claim) => {
      claiming = false
      if (claim !== undefined) accept(request, claim)
      if (claim === undefined) scanAfter(limits.retryMs)
      else scanAfter(request.scan ? pauseAfter(claim, request) : limits.pollMs)
      pump()
    })
  }

  function scanAfter(pauseMs: number): void {
    scanDue = pauseMs === 0
    if (!scanDue) scanLater(pauseMs)
  }

  /** Releases deliveries that did not get a permit in time. */
  function releaseStale(): void {
    const oldest = ports.now() - maxWaitMs
    for (const { waiting } of queues.values()) {
      const kept = waiting.findIndex(({ claimedAt }) => claimedAt >= oldest)
      for (const { delivery, claimedAt } of waiting.splice(0, kept < 0 ? waiting.length : kept)) {
        releaseClaim(delivery, claimedAt)
      }
    }
  }

  const hasCapacity = () => leased < limits.leased && total.used < total.limit

  function accept(
    { now, quotas, defaultQuota, scan }: ClaimRequest,
    { deliveries, after: next }: ClaimResult<D>,
  ): void {
    const counts = new Map<Queue, number>()
    for (const delivery of deliveries) {
      const queue = queueOf(delivery)
      counts.set(queue, (counts.get(queue) ?? 0) + 1)
      leased++
      workspaceOf(queue).leased++
      if (stopped === undefined) queue.waiting.push({ delivery, claimedAt: now })
      else releaseClaim(delivery, now)
    }
    for (const [queue, count] of counts) {
      queue.mayHaveMore = count >= (quotas.get(queue.webhookId) ?? defaultQuota)
      markReady(queue)
    }
    if (scan) after = next
    if (deliveries.length > 0) emptyScans = 0
    else if (scan && next === '') emptyScans++
  }

  /**
   * How long to wait until the next scan: not at all if the last one hit its limit, and one step if it has not seen
   * every endpoint.
   */
  function pauseAfter(
    { deliveries, restMs = limits.idlePollMs }: ClaimResult<D>,
    { limit }: ClaimRequest,
  ): number {
    const found = deliveries.length
    if (found >= limit) return 0
    if (after !== '') return found > 0 ? 0 : limits.scanStepMs
    // An idle worker scans twice before it rests, to catch rows that were locked the first time.
    return emptyScans <= limits.eagerPolls + 1 || restMs === 0 ? limits.pollMs : restMs
  }

  function queueOf(delivery: D): Queue {
    const known = queues.get(delivery.webhookId)
    if (known !== undefined) return known
    if (queues.size >= limits.trackedEndpoints) dropIdleQueues()
    const queue = newEndpointQueue<D>(delivery, limits)
    queues.set(delivery.webhookId, queue)
    return queue
  }

  function dropIdleQueues(): void {
    for (const queue of queues.values()) if (countLeased(queue) === 0) queues.delete(queue.webhookId)
  }

  /** Settles a delivery that was not sent. It returns to the queue as if it had never been claimed. */
  function releaseClaim(delivery: D, claimedAt: number): void {
    unsettled.push({ settlement: { delivery, result: undefined }, until: claimedAt + leaseMs })
  }

  function pump(): void {
    sendAll()
    settleAll()
    claimMore()
    if (leased === 0 && !claiming) stopped?.()
  }

  return {
    start: pump,
    scanNow() {
      emptyScans = 0
      scanDue = true
      pump()
    },
    stop(done) {
      let isDone = false
      stopped = () => {
        if (!isDone) done()
        isDone = true
      }
      for (const { waiting } of queues.values()) {
        for (const { delivery, claimedAt } of waiting.splice(0)) releaseClaim(delivery, claimedAt)
      }
      pump()
    },
  }
}
