/** Work of which some runs at a time, with results that are handed on in the order of the beginnings. */
export interface InTurn<T> {
  /** Starts the work once fewer than the limit are pending; resolves when it has started. */
  begin(work: () => Promise<T>): Promise<void>
  /** Resolves when all started work is handed on. */
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
