import { setTimeout as pause } from 'node:timers/promises'

/** Longer than anything takes on a machine that is far too busy. */
const timeoutMs = 60_000

/**
 * Returns what a check returns as soon as that is neither undefined nor false and the check does not throw. Throws its
 * last error after a minute. Pauses longer each time: a key has 120 requests a minute, and while a test's clock stands
 * still, the minute does not end. In all it asks about 60 times.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<Exclude<T, undefined | false | void>> {
  const ends = performance.now() + timeoutMs
  for (let pauseMs = 20; ; pauseMs *= 1.1) {
    let error: unknown
    try {
      const result = await check()
      if (result !== undefined && result !== false) return result as Exclude<T, undefined | false | void>
    } catch (caught) {
      error = caught
    }
    if (performance.now() > ends) throw error ?? new Error(`This did not hold within ${timeoutMs / 1000} s: ${check}`)
    await pause(pauseMs)
  }
}
