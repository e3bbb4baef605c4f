import { setImmediate } from 'node:timers/promises'

const sliceMs = 10

/** Number of items processed between two checks of the clock. */
const stride = 8

/** Yields the items in slices of up to 8. After 10 ms of work, lets other requests run before the next slice. */
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
