import { setTimeout as sleep } from 'node:timers/promises'
import type { Ctx } from '#kernel/context.ts'
import { AppError } from '#kernel/errors.ts'
import { type JournalRow, listEventIds, listEvents } from '#kernel/events/journal.ts'
import { firstIdAt } from '#kernel/ids.ts'
import type { Since } from './since.ts'

export interface TailOptions {
  /** Names of events. */
  names: readonly string[]
  since: Since
  /** Ends it. */
  signal: AbortSignal
  /** The database cannot be asked, or can be asked again. */
  onAway: () => void
  onBack: () => void
}

const pollMs = 500

/** Ids of one question, and events. */
const idsAtOnce = 5000
const eventsAtOnce = 500

/** Longer than any transaction takes from its event to its commit. */
const overlapMs = 60_000

/** Events remembered as known. Where more happen within the overlap, one that is committed late may be missed. */
const maxKnown = 20_000

/**
 * The events of a workspace, each once, as their transactions commit. Ids sort by when a change was made and not by its
 * commit, so each look goes back to a minute before the last one and passes over what is known. Resolves when it is
 * known what there was before: whatever commits from then on is told.
 */
export async function openTail(ctx: Ctx, options: TailOptions): Promise<AsyncGenerator<JournalRow>> {
  const { names, signal, onAway, onBack } = options
  const pause = () => sleep(pollMs, undefined, { signal }).catch(() => undefined)
  const known = new Set<string>()
  /** Up to this id nothing is remembered, and nothing is asked any more. */
  let floor = ''
  let away = false

  /** The answer, however long the database is away; nothing once it is over. */
  async function ask<T>(question: () => Promise<T[]>): Promise<T[]> {
    while (!signal.aborted) {
      try {
        const answer = await question()
        if (away) onBack()
        away = false
        return answer
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'unavailable') throw error
        if (!away) onAway()
        away = true
        await pause()
      }
    }
    return []
  }

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
    for (; !signal.aborted; await pause()) {
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
