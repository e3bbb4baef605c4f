/** Work of which some runs at a time, with results that are handed on in the order of the beginnings. */
export interface InTurn<T> {
  /** Begins the work when fewer than the limit wait for their turn; resolves when it has begun. */
  begin(work: () => Promise<T>): Promise<void>
  /** Resolves when all that has begun is handed on. */
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
