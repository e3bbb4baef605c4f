import type { Claimed } from './endpoint-queue.ts'
import type { NextState, AttemptOutcome } from './schedule.ts'

/** A worker's request to the queue. Times are epoch milliseconds. */
export interface ClaimRequest {
  now: number
  /** The scan continues after this endpoint id; '' starts over. */
  after: string
  /** The most deliveries to claim: for the endpoints in `refill`, and as many for scanned ones. */
  limit: number
  /** How many more deliveries each endpoint with leased deliveries may have. */
  quotas: ReadonlyMap<string, number>
  /** Endpoints whose queues are running low. They are claimed before any other. */
  refill: readonly Pick<Claimed, 'workspaceId' | 'webhookId'>[]
  /** Whether to scan other endpoints. */
  scan: boolean
  /**
   * The worker has found nothing for a while. Starting before this claim, the queue must call `scanNow` for every new
   * delivery, or respond with `restMs: 0`.
   */
  idle: boolean
  /** The quota of any other endpoint. */
  defaultQuota: number
  /** How many more deliveries each workspace with leased deliveries may have. */
  workspaceQuotas: ReadonlyMap<string, number>
  defaultWorkspaceQuota: number
  /** How many more deliveries failing endpoints may have in total. */
  failingQuota: number
}

export interface ClaimResult<D> {
  deliveries: readonly D[]
  /** Where the next scan continues; '' once it has seen every endpoint. */
  after: string
  /** How long an idle worker may rest: 0 if it might miss a new delivery; `idlePollMs` by default. */
  restMs?: number
}

export interface Settlement<D, O> {
  delivery: D
  /** Undefined if the delivery was never sent. The claim is released, and the attempt does not count. */
  result: { outcome: O; next: NextState; startedAt: number } | undefined
}

/** Everything outside the worker. Each callback runs once, and never before the call has returned. */
export interface Ports<D extends Claimed, O extends AttemptOutcome> {
  now(): number
  /** Passes undefined to `done` if the queue could not be reached. */
  claim(request: ClaimRequest, done: (claim: ClaimResult<D> | undefined) => void): void
  send(delivery: D, done: (outcome: O) => void): void
  /** Records the results of attempts. Passes false to `done` if they could not be written. */
  settle(settlements: readonly Settlement<D, O>[], done: (written: boolean) => void): void
  wake(afterMs: number, call: () => void): void
}
