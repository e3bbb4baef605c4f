import { setImmediate } from 'node:timers/promises'

const sliceMs = 10

/**
 * Returns a function to call between parts of long work. Every 10 ms it returns a promise to await, which lets other requests
 * run.
 */
export function timeSlices(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return setImmediate().then(() => void (since = performance.now()))
  }
}
