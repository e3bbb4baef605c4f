import type { JournalRow } from '#kernel/events/journal.ts'
import { type Definition, stepOf } from '../../automations/public.ts'
import type { Enrollment } from '../enrollment.ts'

/** Whether an event has arrived that the enrollment may be waiting for, so that the engine asks its step again early. */
export function isAwaitedIn(
  { waiting_for: waiting, step_key }: Enrollment,
  definition: Definition,
  events: readonly JournalRow[],
): boolean {
  switch (waiting?.kind) {
    case 'message':
    case 'date': {
      const ids = Object.values(waiting.refs ?? {})
      return events.some(({ subject_id }) => ids.includes(subject_id))
    }
    case 'event': {
      const step = stepOf(definition, step_key ?? '')
      const names = step?.type === 'wait_for' ? step.events.map(({ event }) => event) : []
      return events.some(({ name }) => names.includes(name))
    }
    default:
      return false
  }
}
