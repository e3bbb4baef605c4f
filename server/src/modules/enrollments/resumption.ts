import type { Tx } from '#kernel/context.ts'
import { type Automation, saveAutomation } from '../automations/public.ts'
import type { Enrollment } from './enrollment.ts'

/** How many overdue enrollments of an automation resume per hour. */
const resumedPerHour = 200

/** Spaces out overdue enrollments that resume. */
export interface ResumptionPace {
  /** When the next enrollment continues: now, if no others have resumed lately. */
  take(now: Date): Date
  /** Saves when the enrollment after that may continue, in the same transaction. */
  save(): void
}

/** The pace of an automation. The caller holds its lock. */
export const paceOf = (tx: Tx, { id, paced_until }: Automation): ResumptionPace =>
  paceFrom(paced_until, resumedPerHour, (next) => saveAutomation(tx, id, { paced_until: next }))

/** A pace that continues where the last one ended. */
export function paceFrom(
  from: string | null,
  perHour: number,
  saveNext: (next: string) => void,
): ResumptionPace {
  let next = from === null ? 0 : Date.parse(from)
  const before = next
  return {
    take(now) {
      const at = Math.max(now.getTime(), next)
      next = at + Math.ceil(3_600_000 / perHour)
      return new Date(at)
    },
    save() {
      if (next !== before) saveNext(new Date(next).toISOString())
    },
  }
}

/**
 * When a paused enrollment continues.
 * - The end of a `wait`, `event`, or `response` moves by the length of the pause.
 * - A `date` in the future is due at once, so that the step reads the record again: its time may have moved.
 * - An `event`, `response`, or `message`, and a `date` in the past, takes a turn, because what it waits for may have arrived.
 * - Anything else that is overdue takes a turn, too. `planned_at` keeps its own time, from which the lateness of a message counts; that
 *   time moves with a `wait`.
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
