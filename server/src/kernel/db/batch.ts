import { Unavailable } from '../errors.ts'

/** If this many calls are waiting, results have stopped arriving. Further calls fail at once with `Unavailable`. */
const maxWaiting = 10_000

export interface BatchOptions {
  /** Maximum number of batches that run at once. Calls that arrive meanwhile wait for the next batch. */
  inFlight: number
  /** Maximum number of items in a batch. */
  maxSize: number
}

/**
 * Coalesces calls: those that arrive while a batch runs form the next batch. Under load, a hundred calls cost one
 * statement; a single call runs at once. `run` returns one result per item, in order.
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

  // Wait for the end of the turn, so that all calls in it share a batch.
  const schedule = () => process.nextTick(() => void next())

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(Unavailable())
      waiting.push({ item, resolve, reject })
      if (waiting.length === 1) schedule()
    })
}
