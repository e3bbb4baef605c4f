import type { Tx } from '#kernel/context.ts'
import type { Automation } from './automation.ts'
import type { Enrollment } from './enrollment.ts'
import { saveAutomation } from './queries.ts'

/** Of the enrollments of an automation that resume behind their time, so many go on within an hour. */
const resumedPerHour = 200

/** Has enrollments that resume behind their time go on one after the other. */
export interface ResumptionPace {
  /** When the next one goes on, which is now if there have been none lately. */
  take(now: Date): Date
  /** Writes when the one after that may, in the same transaction. */
  save(): void
}

/** The pace of an automation, which the caller has locked. */
export function paceOf(tx: Tx, { id, paced_until }: Automation): ResumptionPace {
  let next = paced_until === null ? 0 : Date.parse(paced_until)
  const before = next
  return {
    take(now) {
      const at = Math.max(now.getTime(), next)
      next = at + 3_600_000 / resumedPerHour
      return new Date(at)
    },
    save() {
      if (next !== before) saveAutomation(tx, id, { paced_until: new Date(next).toISOString() })
    },
  }
}

/**
 * When a paused enrollment goes on. Spans have stood still. A date is looked up again at once, since it may have moved. What has been
 * waited for and may have come, and what is behind its time, takes its turn.
 */
export function resumedAt(
  { paused_at, waiting_for: waiting }: Enrollment,
  pace: ResumptionPace,
  now: Date,
): Pick<Enrollment, 'due_at' | 'waiting_for'> {
  const pausedMs = Math.max(0, now.getTime() - Date.parse(paused_at ?? now.toISOString()))
  const shifted = (time: string) => new Date(Date.parse(time) + pausedMs).toISOString()
  const due = (at: Date) => at.toISOString()
  if (waiting === null || waiting.until === null) return { due_at: due(pace.take(now)), waiting_for: waiting }
  const waits = {
    ...waiting,
    until: ['wait', 'event', 'response'].includes(waiting.kind) ? shifted(waiting.until) : waiting.until,
    ...(waiting.kind === 'hours' && waiting.since !== undefined && { since: shifted(waiting.since) }),
  }
  const until = new Date(waits.until)
  const isAhead = until > now
  if (isAhead && waits.kind === 'date') return { due_at: due(now), waiting_for: waits }
  if (isAhead && (waits.kind === 'wait' || waits.kind === 'hours'))
    return { due_at: waits.until, waiting_for: waits }
  const turn = pace.take(now)
  if (waits.kind === 'wait') return { due_at: due(turn), waiting_for: { ...waits, until: due(turn) } }
  return { due_at: due(isAhead && until < turn ? until : turn), waiting_for: waits }
}
