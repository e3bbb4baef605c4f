import type { Clock } from '#kernel/clock.ts'

const faultsToOpen = 5
const windowMs = 60_000
const openMs = 60_000

/** A per-process circuit breaker for a failing model: after five faults within a minute, it stays open for a minute. */
export interface Breaker {
  isOpen(): boolean
  record(worked: boolean): void
}

export function createBreaker(clock: Clock): Breaker {
  let faults: number[] = []
  let openUntil = Number.NEGATIVE_INFINITY
  return {
    isOpen: () => clock.now().getTime() < openUntil,
    record(worked) {
      if (worked) return
      const at = clock.now().getTime()
      faults = [...faults.filter((one) => one > at - windowMs), at]
      if (faults.length < faultsToOpen) return
      openUntil = at + openMs
      faults = []
    },
  }
}
