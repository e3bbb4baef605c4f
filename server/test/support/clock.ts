import { type Clock, systemClock } from '#kernel/clock.ts'

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  set(at: Date | string): void
  advance(ms: number): void
}

export function testClock(start: Date | string): TestClock {
  let at = new Date(start)
  const waiting = new Set<() => void>()
  const moveTo = (to: Date) => {
    at = to
    for (const call of Array.from(waiting)) call()
  }
  return {
    now: () => new Date(at),
    elapsed: () => at.getTime(),
    after(ms, call) {
      const cancel = () => {
        waiting.delete(once)
        prevent()
      }
      const once = () => {
        cancel()
        call()
      }
      const prevent = systemClock.after(ms, once)
      waiting.add(once)
      return cancel
    },
    set: (to) => moveTo(new Date(to)),
    advance: (ms) => moveTo(new Date(at.getTime() + ms)),
  }
}
