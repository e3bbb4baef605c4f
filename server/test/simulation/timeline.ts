/** Virtual time. It jumps from one scheduled callback to the next; nothing happens in between. */
export interface Timeline {
  now(): number
  /** Callbacks that are due at the same time run in the order in which they were scheduled. */
  at(when: number, call: () => void): void
  runUntil(end: number): void
}

interface Entry {
  when: number
  place: number
  call: () => void
}

const isBefore = (one: Entry, other: Entry): boolean =>
  one.when < other.when || (one.when === other.when && one.place < other.place)

/** Uses a binary heap, because a seed schedules some ten thousand callbacks. */
export function newTimeline(start: number): Timeline {
  const heap: Entry[] = []
  let now = start
  let places = 0

  function push(entry: Entry): void {
    let at = heap.length
    while (at > 0) {
      const above = (at - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(entry, parent)) break
      heap[at] = parent
      at = above
    }
    heap[at] = entry
  }

  function pop(): Entry | undefined {
    const [first] = heap
    const last = heap.pop()
    if (first === undefined || last === undefined || heap.length === 0) return first
    let at = 0
    for (;;) {
      let below = 2 * at + 1
      let child = heap[below]
      const right = heap[below + 1]
      if (child === undefined) break
      if (right !== undefined && isBefore(right, child)) {
        child = right
        below++
      }
      if (!isBefore(child, last)) break
      heap[at] = child
      at = below
    }
    heap[at] = last
    return first
  }

  return {
    now: () => now,
    at: (when, call) => push({ when: Math.max(when, now), place: places++, call }),
    runUntil(end) {
      for (let [next] = heap; next !== undefined && next.when <= end; [next] = heap) {
        now = next.when
        pop()?.call()
      }
      now = end
    },
  }
}
