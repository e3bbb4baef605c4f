import type { Limits } from './limits.ts'

/** What the worker needs to know about a claimed delivery. */
export interface Claimed {
  workspaceId: string
  webhookId: string
  id: string
  /** The number of this attempt in its round, from 1. */
  attempt: number
  /** Whether the endpoint's last attempt failed. */
  failing: boolean
}

/** The deliveries of one endpoint that this worker has claimed, and what the worker knows about the endpoint. */
export interface EndpointQueue<D> {
  readonly webhookId: string
  readonly workspaceId: string
  /** Claimed but not sent yet, oldest first, with the time of the claim. */
  waiting: { delivery: D; claimedAt: number }[]
  inFlight: number
  /** How many attempts may be in flight at once. */
  concurrency: number
  failing: boolean
  /** A running mean of the duration of an exchange; undefined until the first one has ended. */
  meanMs: number | undefined
  /** Whether the last claim filled the quota, so that there may be more. */
  mayHaveMore: boolean
  /** Whether the queue is in the list of queues that may send. */
  isReady: boolean
}

export const newEndpointQueue = <D>(
  { webhookId, workspaceId, failing }: Claimed,
  limits: Limits,
): EndpointQueue<D> => ({
  webhookId,
  workspaceId,
  waiting: [],
  inFlight: 0,
  concurrency: failing ? limits.perEndpoint : limits.perNewEndpoint,
  failing,
  meanMs: undefined,
  mayHaveMore: false,
  isReady: false,
})

export const countLeased = <D>(queue: EndpointQueue<D>): number => queue.waiting.length + queue.inFlight

/** Whether the endpoint is failing or slow. Such an endpoint sends only with the permits reserved for degraded endpoints. */
export const isDegraded = <D>({ failing, meanMs }: EndpointQueue<D>, { slowMs }: Limits): boolean =>
  failing || (meanMs ?? 0) > slowMs

/**
 * How many deliveries to hold for the endpoint: as many as it handles within `prefetchMs`, and at least one per
 * concurrent attempt.
 */
export function prefetchTarget<D>(queue: EndpointQueue<D>, limits: Limits): number {
  if (queue.meanMs === undefined || isDegraded(queue, limits)) return queue.concurrency
  const rounds = Math.floor(limits.prefetchMs / Math.max(queue.meanMs, 0.1))
  return Math.min(Math.max(queue.concurrency * rounds, queue.concurrency), limits.maxPrefetch)
}

/** Updates the endpoint's state after an exchange. */
export function recordExchange<D>(
  queue: EndpointQueue<D>,
  ok: boolean,
  durationMs: number,
  limits: Limits,
): void {
  queue.meanMs = queue.meanMs === undefined ? durationMs : queue.meanMs + (durationMs - queue.meanMs) / 8
  queue.failing = !ok
  queue.concurrency = ok ? Math.min(queue.concurrency * 2, limits.perEndpoint) : limits.perEndpoint
}
