/** Scheduled actions in chronological order. Actions at the same time run in the order in which they were added. */
export interface Agenda {
  /** Schedules an action, unless it would take place after the end. */
  add(at: Date, act: Act): void
  /** Removes and returns the next action; undefined if there is none left. */
  next(): { at: Date; act: Act } | undefined
}

type Act = () => Promise<unknown>

export function openAgenda(end: Date): Agenda {
  /** In reverse order, so that the next action is at the end. */
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
