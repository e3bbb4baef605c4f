/** Runs work of a caller when it is its turn. */
export type Turns = <T>(caller: string, work: () => Promise<T>) => Promise<T>

/** Runs at most `limit` pieces of one caller's work at once. The others wait, first come, first served. */
export function takeTurns(limit: number): Turns {
  const callers = new Map<string, { running: number; waiting: (() => void)[] }>()
  return async (caller, work) => {
    const state = callers.get(caller) ?? { running: 0, waiting: [] }
    callers.set(caller, state)
    if (state.running === limit) await new Promise<void>((resolve) => state.waiting.push(resolve))
    else state.running += 1
    try {
      return await work()
    } finally {
      // The turn passes on, or ends.
      const next = state.waiting.shift()
      if (next !== undefined) next()
      else if (--state.running === 0) callers.delete(caller)
    }
  }
}
