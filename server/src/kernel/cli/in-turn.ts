/** Runs several pieces of work at a time and delivers their results in the order in which the work began. */
export interface InTurn<T> {
  /**
   * Waits while the maximum number of results are pending, then starts the work. Resolves when the work has started.
   */
  begin(work: () => Promise<T>): Promise<void>
  /** Resolves when the results of all started work have been delivered. */
  ended(): Promise<void>
}

export function inTurn<T>(limit: number, hand: (result: T) => void): InTurn<T> {
  const waiting: Promise<void>[] = []
  let last = Promise.resolve()
  return {
    async begin(work) {
      if (waiting.length >= limit) await waiting.shift()
      const [before, result] = [last, work()]
      last = before.then(async () => hand(await result))
      waiting.push(last)
    },
    ended: () => last,
  }
}
