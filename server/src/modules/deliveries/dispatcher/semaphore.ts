/** A counting semaphore. A waiter that finds no permit stays in `waiters` until `release` or `wakeNext` returns it. */
export interface Semaphore<T> {
  readonly limit: number
  used: number
  readonly waiters: T[]
}

export const newSemaphore = <T>(limit: number): Semaphore<T> => ({ limit, used: 0, waiters: [] })

/**
 * Takes one permit of each semaphore and returns true, or takes none, queues the waiter at the first exhausted one, and
 * returns false.
 */
export function acquire<T>(all: readonly Semaphore<T>[], waiter: T): boolean {
  const exhausted = all.find(({ used, limit }) => used >= limit)
  if (exhausted !== undefined) {
    exhausted.waiters.push(waiter)
    return false
  }
  for (const semaphore of all) semaphore.used++
  return true
}

/** Returns one permit to each semaphore. Returns the waiters that can try again. */
export function release<T>(all: readonly Semaphore<T>[]): T[] {
  for (const semaphore of all) semaphore.used--
  return wakeNext(all)
}

/** Removes and returns the longest waiter of each semaphore that has a free permit. */
export const wakeNext = <T>(all: readonly Semaphore<T>[]): T[] =>
  all.flatMap(({ used, limit, waiters }) => (used < limit ? waiters.splice(0, 1) : []))
