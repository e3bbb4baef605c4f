import type { Clock } from '#kernel/clock.ts'

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  set(at: Date | string): void
  advance(ms: number): void
}

export function testClock(start: Date | string): TestClock {
  let at = new Date(start)
  return {
    now: () => new Date(at),
    elapsed: () => at.getTime(),
    set: (to) => void (at = new Date(to)),
    advance: (ms) => void (at = new Date(at.getTime() + ms)),
  }
}
