import { setImmediate } from 'node:timers/promises'

const sliceMs = 10

/** Returns a function to await between parts of long work: every 10 ms, it lets other requests run. */
export function timeSlices(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < sliceMs) return undefined
    return setImmediate().then(() => void (since = performance.now()))
  }
}
