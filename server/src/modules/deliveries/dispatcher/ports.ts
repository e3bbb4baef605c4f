import type { Claimed } from './endpoint-queue.ts'
import type { NextState, AttemptOutcome } from './schedule.ts'

/** What a worker asks of the queue. Times are epoch milliseconds. */
export interface ClaimRequest {
  now: number
  /** The scan continues after this endpoint id; '' starts it over. */
  after: string
  /** Deliveries at most: of the endpoints in `refill`, and of scanned ones. */
  limit: number
  /** How many more each endpoint with leased deliveries may have. */
  quotas: ReadonlyMap<string, number>
  /** Endpoints whose queues run low. They are claimed before any other. */
  refill: readonly Pick<Claimed, 'workspaceId' | 'webhookId'>[]
  /** Whether to scan other endpoints. */
  scan: boolean
  /** Nothing has been found for a while: from before this claim on, `scanNow` is to be called for every new delivery. */
  idle: boolean
  /** The quota of any other endpoint. */
  defaultQuota: number
  /** How many more each workspace with leased deliveries may have. */
  workspaceQuotas: ReadonlyMap<string, number>
  defaultWorkspaceQuota: number
  /** How many more deliveries of failing endpoints. */
  failingQuota: number
}

export interface ClaimResult<D> {
  deliveries: readonly D[]
  /** Where the next scan continues; '' when it has seen every endpoint. */
  after: string
}

export interface Settlement<D, O> {
  delivery: D
  /** Undefined if it was never sent: the claim is released and the attempt does not count. */
  result: { outcome: O; next: NextState; startedAt: number } | undefined
}

/** The world of a worker. Every callback runs once, and never before the call has returned. */
export interface Ports<D extends Claimed, O extends AttemptOutcome> {
  now(): number
  /** Undefined if the queue could not be reached. */
  claim(request: ClaimRequest, done: (claim: ClaimResult<D> | undefined) => void): void
  send(delivery: D, done: (outcome: O) => void): void
  /** Records the results of attempts; false if they could not be written. */
  settle(settlements: readonly Settlement<D, O>[], done: (written: boolean) => void): void
  wake(afterMs: number, call: () => void): void
}
