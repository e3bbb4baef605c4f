import { setTimeout as pause } from 'node:timers/promises'

/** Longer than anything takes on a machine that is far too busy. */
const timeoutMs = 60_000

/**
 * Returns what a check returns as soon as it does not throw and does not return false. After a minute, throws its last
 * error. Pauses longer each time, and so asks about 60 times: a key has 120 requests a minute, and a minute of a clock
 * that a test has stopped does not end.
 */
export async function eventually<T>(check: () => T | Promise<T>): Promise<Exclude<T, false>> {
  const ends = performance.now() + timeoutMs
  for (let pauseMs = 20; ; pauseMs *= 1.1) {
    let failure: unknown
    try {
      const result = await check()
      if (result !== false) return result as Exclude<T, false>
      failure = new Error(`This did not become true: ${check}`)
    } catch (error) {
      failure = error
    }
    if (performance.now() > ends) throw failure
    await pause(pauseMs)
  }
}
