import type { Tx } from '#kernel/context.ts'
import type { Automation } from './automation.ts'
import type { Enrollment } from './enrollment.ts'
import { saveAutomation } from './queries.ts'

/** Of the enrollments of an automation that resume behind their time, so many go on within an hour. */
const resumedPerHour = 200

/** Has enrollments that resume behind their time go on one after the other. */
export interface Pace {
  /** When the next one goes on, which is now if there have been none lately. */
  take(now: Date): Date
  /** Writes when the one after that may, in the same transaction. */
  save(): void
}

/** The pace of an automation, which the caller has locked. */
export function paceOf(tx: Tx, { id, paced_until }: Automation): Pace {
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

/** When a paused enrollment goes on: spans have stood still, while the hours in which messages may be sent have not. */
export function resumedAt(
  { due_at, paused_at, waiting_for }: Enrollment,
  pace: Pace,
  now: Date,
): Pick<Enrollment, 'due_at' | 'waiting_for'> {
  const pausedMs = now.getTime() - Date.parse(paused_at ?? now.toISOString())
  const shiftMs = waiting_for?.kind === 'hours' ? 0 : Math.max(0, pausedMs)
  const planned = new Date(Date.parse(due_at ?? now.toISOString()) + shiftMs)
  const due = (planned > now ? planned : pace.take(now)).toISOString()
  return { due_at: due, waiting_for: waiting_for && { ...waiting_for, until: due } }
}
