/** The only source of the present. Handed in, so that a test can stand at any moment. */
export interface Clock {
  now(): Date
  /** Milliseconds since some moment. Unlike the present, it is never set forward or back. */
  elapsed(): number
}

export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() }

/**
 * The present in milliseconds, as it was at the first call and has gone on since: whoever sets the machine's clock does
 * not move it. What is measured by it is never too short.
 */
export function steady(clock: Clock): () => number {
  const start = clock.now().getTime() - clock.elapsed()
  return () => Math.round(start + clock.elapsed())
}
