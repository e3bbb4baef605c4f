import { patiently, pause, pollMs } from '#kernel/cli/patience.ts'
import type { Since } from '#kernel/cli/since.ts'
import type { Ctx } from '#kernel/context.ts'
import { type JournalRow, listEventIds, listEvents } from '#kernel/events/journal.ts'
import { firstIdAt } from '#kernel/ids.ts'

export interface TailOptions {
  /** Names of events. */
  names: readonly string[]
  since: Since
  /** Ends the tail. */
  signal: AbortSignal
  /** Called when the database becomes unavailable, and when it is available again. */
  onAway: () => void
  onBack: () => void
}

/** Maximum number of ids, and of events, per query. */
const idsAtOnce = 5000
const eventsAtOnce = 500

/** Longer than any transaction takes from emitting an event to its commit. */
const overlapMs = 60_000

/** Number of known events to remember. If more occur within the overlap, an event that commits late may be missed. */
const maxKnown = 20_000

/**
 * Yields each event of a workspace once, as its transaction commits. Ids sort by the time of the change, not of the
 * commit, so each poll starts a minute before the previous one and skips known events. Resolves once the existing
 * events are known: everything that commits afterwards is returned.
 */
export async function openTail(ctx: Ctx, options: TailOptions): Promise<AsyncGenerator<JournalRow>> {
  const { names, signal } = options
  const ask = patiently(options)
  const known = new Set<string>()
  /** Events up to this id are neither remembered nor queried. */
  let floor = ''

  async function* idsAfter(first: string): AsyncGenerator<string[]> {
    const page = (after: string) => ask(() => listEventIds(ctx.db, { names, after }, idsAtOnce))
    for (let after: string | undefined = first; after !== undefined;) {
      const ids: string[] = await page(after)
      yield ids
      after = ids.length < idsAtOnce ? undefined : ids.at(-1)
    }
  }

  function forgetUpTo(id: string): void {
    const ids = [...known].filter((one) => one > id).toSorted()
    const over = ids.splice(0, Math.max(0, ids.length - maxKnown))
    floor = [floor, id, over.at(-1) ?? ''].toSorted().at(-1) ?? ''
    known.clear()
    for (const one of ids) known.add(one)
  }

  async function* follow(): AsyncGenerator<JournalRow> {
    for (; !signal.aborted; await pause(pollMs, signal)) {
      const nextFloor = firstIdAt(ctx.clock.now().getTime() - overlapMs)
      for await (const ids of idsAfter(floor)) {
        const fresh = ids.filter((id) => !known.has(id))
        for (let at = 0; at < fresh.length; at += eventsAtOnce) {
          const some = fresh.slice(at, at + eventsAtOnce)
          for (const id of some) known.add(id)
          yield* await ask(() => listEvents(ctx.db, some))
        }
        if (known.size > 2 * maxKnown) forgetUpTo(nextFloor)
      }
      forgetUpTo(nextFloor)
    }
  }

  const now = ctx.clock.now()
  const since = options.since(now)
  const start = firstIdAt(since.getTime())
  const overlap = firstIdAt(now.getTime() - overlapMs)
  for await (const ids of idsAfter(overlap)) {
    for (const id of ids) if (since >= now || id < start) known.add(id)
  }
  floor = start < overlap ? start : overlap
  return follow()
}
