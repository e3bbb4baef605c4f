/**
 * The retry schedule of the contract, in minutes after the previous attempt. With the first attempt, that makes six
 * attempts.
 */
const retryMinutes = [1, 2, 4, 8, 16]

export const maxAttempts = retryMinutes.length + 1

/**
 * A claim is valid for this long. This covers the wait for a permit (`maxWaitMs`), the exchange (10 s at most) and the
 * settlement. After that, the worker that claimed the delivery is considered dead.
 */
export const leaseMs = 15_000

/**
 * A worker leases an endpoint for this long. It renews the lease with a claim when less than `leaseMs` is left, so that
 * no other worker sends to the endpoint while one of its claims is valid.
 */
export const endpointLeaseMs = leaseMs + 5000

/** If an attempt cannot start this soon after its claim, the claim is released, and the attempt does not count. */
export const maxWaitMs = 1000

/** How many milliseconds to wait after the attempt with this number (from 1) has ended; undefined after the last one. */
export const retryDelayMs = (attempt: number): number | undefined => {
  const minutes = retryMinutes[attempt - 1]
  return minutes === undefined ? undefined : minutes * 60_000
}

/** For each attempt from 1: how many milliseconds after its end the next one may begin; 0 after the last one. */
export const retryDelaysMs: readonly number[] = Array.from(
  { length: maxAttempts },
  (_, i) => retryDelayMs(i + 1) ?? 0,
)

/**
 * For each attempt from 1: how many milliseconds after the claim the next attempt may begin if this one is never
 * settled. The claim stores that time, so a worker's death does not need to be detected.
 */
export const unreportedDelaysMs: readonly number[] = retryDelaysMs.map((ms) => leaseMs + ms)

/** The outcome of an attempt, as far as retries depend on it. */
export interface AttemptOutcome {
  ok: boolean
}

export interface NextState {
  status: 'delivered' | 'pending' | 'failed'
  /** When the next attempt may begin, in epoch milliseconds. Only meaningful for `pending`. */
  dueAt: number
}

/**
 * Returns the delivery's state after the attempt with this number, which ended at `endedAt`: delivered, to be retried,
 * or failed.
 */
export function nextState(outcome: AttemptOutcome, attempt: number, endedAt: number): NextState {
  if (outcome.ok) return { status: 'delivered', dueAt: endedAt }
  const delay = attempt < maxAttempts ? retryDelayMs(attempt) : undefined
  return delay === undefined
    ? { status: 'failed', dueAt: endedAt }
    : { status: 'pending', dueAt: endedAt + delay }
}
