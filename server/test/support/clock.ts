import { type Clock, systemClock } from '#kernel/clock.ts'

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  set(at: Date | string): void
  advance(ms: number): void
}

/** A machine's own clock, which is set wrong. It moves by itself, and PostgreSQL's stays what it is. */
export function wrongClock(aheadMs: number): TestClock {
  let ahead = aheadMs
  const now = () => new Date(Date.now() + ahead)
  return {
    ...systemClock,
    now,
    set: (at) => void (ahead = new Date(at).getTime() - Date.now()),
    advance: (ms) => void (ahead += ms),
  }
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
    shared: () => new Date(at),
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
