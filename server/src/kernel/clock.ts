/** The only source of time. It is injected, so that tests can set the time. */
export interface Clock {
  now(): Date
  /** Milliseconds since an arbitrary moment. Unlike `now`, it never jumps. */
  elapsed(): number
  /** Calls after this many milliseconds, or earlier if a test moves the clock. Returns a function that prevents the call. */
  after(ms: number, call: () => void): () => void
  /** The time that stands for PostgreSQL's, in tests and simulations; see `sharedNow`. */
  shared?(): Date
}

export const systemClock: Clock = {
  now: () => new Date(),
  elapsed: () => performance.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms)
    return () => clearTimeout(timer)
  },
}

/**
 * Returns a clock in milliseconds that starts at the present and never jumps, even if the machine's clock is set. Use it
 * to measure durations and leases.
 */
export function steady(clock: Clock): () => number {
  const start = clock.now().getTime() - clock.elapsed()
  return () => Math.round(start + clock.elapsed())
}

export const later = (at: Date, ms: number): Date => new Date(at.getTime() + ms)
