/** The contract's retries: minutes after the previous attempt. With the first attempt that makes six. */
const retryMinutes = [1, 2, 4, 8, 16]

export const maxAttempts = retryMinutes.length + 1

/**
 * How long a claim is valid. Covers the wait for a permit (maxWaitMs), the exchange (10 s at most) and the settlement;
 * after that, the worker that claimed counts as dead.
 */
export const leaseMs = 15_000

/**
 * How long a worker leases an endpoint. It renews the lease with a claim when less than `leaseMs` is left, so that no
 * other worker sends to the endpoint while one of its claims is valid.
 */
export const endpointLeaseMs = leaseMs + 5000

/** An attempt that cannot start this soon after its claim is released, uncounted. */
export const maxWaitMs = 1000

/** Milliseconds to wait after an attempt, counted from 1, has ended; undefined after the last one. */
export const retryDelayMs = (attempt: number): number | undefined => {
  const minutes = retryMinutes[attempt - 1]
  return minutes === undefined ? undefined : minutes * 60_000
}

/**
 * When the next attempt may begin if this one is never settled, for each attempt from 1. The claim stores it, so a
 * worker's death needs no detection.
 */
export const unreportedDelaysMs: readonly number[] = Array.from(
  { length: maxAttempts },
  (_, i) => leaseMs + (retryDelayMs(i + 1) ?? 0),
)

/** The outcome of an attempt, as far as retries depend on it. */
export interface AttemptOutcome {
  ok: boolean
}

export interface NextState {
  status: 'delivered' | 'pending' | 'failed'
  /** When the next attempt may begin, epoch milliseconds; only meaningful for `pending`. */
  dueAt: number
}

/** The delivery's state after the attempt of this number, which ended at `endedAt`: delivered, retried, or failed. */
export function nextState(outcome: AttemptOutcome, attempt: number, endedAt: number): NextState {
  if (outcome.ok) return { status: 'delivered', dueAt: endedAt }
  const delay = attempt < maxAttempts ? retryDelayMs(attempt) : undefined
  return delay === undefined
    ? { status: 'failed', dueAt: endedAt }
    : { status: 'pending', dueAt: endedAt + delay }
}
