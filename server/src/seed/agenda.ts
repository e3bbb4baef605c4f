/** What is still to happen, in the order of time; of one moment what was entered first comes first. */
export interface Agenda {
  /** Enters something, unless it would come after the end. */
  add(at: Date, act: Act): void
  /** Takes out what comes next; undefined after the last. */
  next(): { at: Date; act: Act } | undefined
}

type Act = () => Promise<unknown>

export function openAgenda(end: Date): Agenda {
  /** The last thing first. */
  const acts: { at: Date; act: Act }[] = []
  return {
    add(at, act) {
      if (at >= end) return
      let [from, to] = [0, acts.length]
      while (from < to) {
        const middle = (from + to) >> 1
        if ((acts[middle]?.at ?? end) > at) from = middle + 1
        else to = middle
      }
      acts.splice(from, 0, { at, act })
    },
    next: () => acts.pop(),
  }
}
