import { setImmediate } from 'node:timers/promises'

const sliceMs = 10

/** Items that are worked on between two looks at the clock. */
const stride = 8

/** Yields the items in runs of up to 8. After 10 ms of work it lets other requests run before the next run. */
export async function* inSlices<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  let since = performance.now()
  for (let at = 0; at < items.length; at += stride) {
    if (at > 0 && performance.now() - since >= sliceMs) {
      await setImmediate()
      since = performance.now()
    }
    yield items.slice(at, at + stride)
  }
}
