/** Virtual time: it goes from one thing that was put on it to the next, and nothing happens in between. */
export interface Timeline {
  now(): number
  /** Things of one moment happen in the order in which they were put there. */
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

/** A binary heap, since a seed puts some ten thousand things on it. */
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
