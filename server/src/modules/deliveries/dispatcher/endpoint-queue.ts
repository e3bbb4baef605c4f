import type { Limits } from './limits.ts'

/** A claimed delivery, as far as the worker decides by it. */
export interface Claimed {
  workspaceId: string
  webhookId: string
  id: string
  /** The number of this attempt in its round, from 1. */
  attempt: number
  /** The endpoint's last attempt failed. */
  failing: boolean
}

/** The deliveries of one endpoint that this worker has claimed, and what it knows of the endpoint. */
export interface EndpointQueue<D> {
  readonly webhookId: string
  readonly workspaceId: string
  /** Claimed and not yet sent, oldest first, with the time of the claim. */
  waiting: { delivery: D; claimedAt: number }[]
  inFlight: number
  /** Attempts that may be in flight at once. */
  concurrency: number
  failing: boolean
  /** A running mean of how long an exchange takes; undefined until one has ended. */
  meanMs: number | undefined
  /** The last claim filled the quota, so there may be more. */
  mayHaveMore: boolean
  /** It is in the list of queues that may send. */
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

/** A failing or slow endpoint sends only from the permits set aside for such endpoints. */
export const isDegraded = <D>({ failing, meanMs }: EndpointQueue<D>, { slowMs }: Limits): boolean =>
  failing || (meanMs ?? 0) > slowMs

/** How many deliveries to hold for the endpoint: what it takes within `prefetchMs`, at least one per concurrent attempt. */
export function prefetchTarget<D>(queue: EndpointQueue<D>, limits: Limits): number {
  if (queue.meanMs === undefined || isDegraded(queue, limits)) return queue.concurrency
  const rounds = Math.floor(limits.prefetchMs / Math.max(queue.meanMs, 0.1))
  return Math.min(Math.max(queue.concurrency * rounds, queue.concurrency), limits.maxPrefetch)
}

/** Updates what is known of the endpoint after an exchange. */
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
