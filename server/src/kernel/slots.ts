import { Unavailable } from './errors.ts'

/** Places for work that the tenants of a process share. */
export interface Slots {
  /** Waits for a place. Returns the function that gives it back. Throws `Unavailable` (503) after too long a wait. */
  enter(tenant: string): Promise<() => void>
}

interface Waiter {
  begin(): void
}

/**
 * A tenant gets another place while it has fewer than are free. So one tenant alone gets half of the places at once, and
 * however many it asks for, others find free ones; the more tenants share them, the fewer each gets. A place that is
 * given back goes to the waiting tenant that has the fewest.
 */
export function fairSlots(total: number, waitMs: number): Slots {
  const running = new Map<string, number>()
  const waiting = new Map<string, Waiter[]>()
  let taken = 0

  const countOf = (tenant: string) => running.get(tenant) ?? 0
  const mayEnter = (tenant: string) => countOf(tenant) < total - taken

  function take(tenant: string): () => void {
    taken += 1
    running.set(tenant, countOf(tenant) + 1)
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      taken -= 1
      const left = countOf(tenant) - 1
      if (left === 0) running.delete(tenant)
      else running.set(tenant, left)
      admit()
    }
  }

  function admit(): void {
    for (;;) {
      const [next] = [...waiting.keys()].filter(mayEnter).toSorted((a, b) => countOf(a) - countOf(b))
      if (next === undefined) return
      const [first, ...rest] = waiting.get(next) ?? []
      // Behind the other tenants that wait.
      waiting.delete(next)
      if (rest.length > 0) waiting.set(next, rest)
      first?.begin()
    }
  }

  return {
    async enter(tenant) {
      if (!waiting.has(tenant) && mayEnter(tenant)) return take(tenant)
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          begin() {
            clearTimeout(timer)
            resolve(take(tenant))
          },
        }
        const timer = setTimeout(() => {
          const rest = (waiting.get(tenant) ?? []).filter((other) => other !== waiter)
          if (rest.length > 0) waiting.set(tenant, rest)
          else waiting.delete(tenant)
          reject(Unavailable())
        }, waitMs)
        waiting.set(tenant, [...(waiting.get(tenant) ?? []), waiter])
      })
    },
  }
}
