/** A counting semaphore. What finds no permit waits in `waiters` until `release` or `wakeNext` returns it. */
export interface Semaphore<T> {
  readonly limit: number
  used: number
  readonly waiters: T[]
}

export const newSemaphore = <T>(limit: number): Semaphore<T> => ({ limit, used: 0, waiters: [] })

/** Takes a permit of each, or none: then the waiter is queued at the first that is exhausted. */
export function acquire<T>(all: readonly Semaphore<T>[], waiter: T): boolean {
  const exhausted = all.find(({ used, limit }) => used >= limit)
  if (exhausted !== undefined) {
    exhausted.waiters.push(waiter)
    return false
  }
  for (const semaphore of all) semaphore.used++
  return true
}

/** Returns a permit to each, and the waiters that can try again. */
export function release<T>(all: readonly Semaphore<T>[]): T[] {
  for (const semaphore of all) semaphore.used--
  return wakeNext(all)
}

/** Removes and returns the longest waiter of each semaphore that has a permit. */
export const wakeNext = <T>(all: readonly Semaphore<T>[]): T[] =>
  all.flatMap(({ used, limit, waiters }) => (used < limit ? waiters.splice(0, 1) : []))
