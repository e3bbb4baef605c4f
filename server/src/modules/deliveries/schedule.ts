/** The contract's retries: so many minutes after the attempt before, and with the first attempt six in all. */
const retryMinutes = [1, 2, 4, 8, 16]

export const maxAttempts = retryMinutes.length + 1

/**
 * How long a claim is believed. Longer than an attempt that waits its turn (maxWaitMs), is sent (10 s at most) and is
 * settled; after it, the worker that claimed is taken for dead.
 */
export const leaseMs = 15_000

/**
 * For how long a worker takes an endpoint at a time. It goes on as long as it claims; when less than a lease is left it
 * takes it anew, so that nobody else serves an endpoint while a claim on it is believed.
 */
export const holdMs = leaseMs + 5000

/** An attempt that could not begin so soon after its claim is given back, uncounted. */
export const maxWaitMs = 1000

/** Milliseconds to wait after an attempt, counted from 1, has ended; undefined after the last one. */
export const retryDelayMs = (attempt: number): number | undefined => {
  const minutes = retryMinutes[attempt - 1]
  return minutes === undefined ? undefined : minutes * 60_000
}

/**
 * When the next attempt may begin if of this one nothing is ever heard again, for each attempt from 1: the claim
 * itself writes it down, so that a worker's death needs nobody to notice it.
 */
export const unheardDelaysMs: readonly number[] = Array.from(
  { length: maxAttempts },
  (_, i) => leaseMs + (retryDelayMs(i + 1) ?? 0),
)
