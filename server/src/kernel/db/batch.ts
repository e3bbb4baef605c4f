import { Unavailable } from '../errors.ts'

/** More calls than this waiting means that answers have stopped coming; another would only wait with them. */
const maxWaiting = 10_000

export interface BatchOptions {
  /** Batches that run at once; what comes meanwhile gathers for the next. */
  inFlight: number
  /** Items of one batch at most. */
  maxSize: number
}

/**
 * Coalesces calls: while one batch runs, what arrives waits and goes out together. Under load a hundred calls cost
 * one statement; alone, a call leaves at once. `run` answers one result an item, in order.
 */
export function batched<I, O>(
  run: (items: I[]) => Promise<O[]>,
  { inFlight, maxSize }: BatchOptions,
): (item: I) => Promise<O> {
  let waiting: { item: I; resolve: (result: O) => void; reject: (error: unknown) => void }[] = []
  let running = 0

  async function next(): Promise<void> {
    if (running === inFlight || waiting.length === 0) return
    const batch = waiting.slice(0, maxSize)
    waiting = waiting.slice(maxSize)
    running++
    try {
      const results = await run(batch.map(({ item }) => item))
      batch.forEach(({ resolve }, i) => resolve(results[i] as O))
    } catch (error) {
      for (const { reject } of batch) reject(error)
    } finally {
      running--
      schedule()
    }
  }

  // At the end of the turn, so that all that arrive in it share the batch.
  const schedule = () => process.nextTick(() => void next())

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(Unavailable())
      waiting.push({ item, resolve, reject })
      if (waiting.length === 1) schedule()
    })
}
