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
 * waited for and may have come, and what is behind its time, takes its turn; how far a message is behind counts from its own time, and
 * from that after a span has stood still.
 */
export function resumedAt(
  { paused_at, due_at, planned_at, waiting_for: waiting }: Enrollment,
  pace: ResumptionPace,
  now: Date,
): Pick<Enrollment, 'due_at' | 'planned_at' | 'waiting_for'> {
  const pausedMs = Math.max(0, now.getTime() - Date.parse(paused_at ?? now.toISOString()))
  const shifted = (time: string) => new Date(Date.parse(time) + pausedMs).toISOString()
  const kind = waiting?.kind
  const stoodStill = (time: string) =>
    kind === 'wait' || kind === 'event' || kind === 'response' ? shifted(time) : time
  const until = typeof waiting?.until === 'string' ? stoodStill(waiting.until) : null
  const since = kind === 'hours' && waiting?.since !== undefined ? { since: shifted(waiting.since) } : {}
  const waiting_for = waiting && { ...waiting, until, ...since }
  const isAhead = until !== null && Date.parse(until) > now.getTime()
  if (kind === 'date' && isAhead) return { due_at: now.toISOString(), planned_at: null, waiting_for }
  const turnOf = () => pace.take(now).toISOString()
  if (until !== null && (kind === 'event' || kind === 'response' || kind === 'message' || kind === 'date')) {
    const turn = turnOf()
    return { due_at: isAhead && until < turn ? until : turn, planned_at: null, waiting_for }
  }
  const planned = planned_at === null ? (until ?? due_at) : stoodStill(planned_at)
  const isEarly = planned !== null && Date.parse(planned) > now.getTime()
  const due = isEarly ? planned : turnOf()
  return {
    due_at: due,
    planned_at: isEarly ? null : planned,
    waiting_for: kind === 'wait' && waiting_for !== null ? { ...waiting_for, until: due } : waiting_for,
  }
}
