import type { JournalRow } from '#kernel/events/journal.ts'
import type { Enrollment } from '../enrollment.ts'

/** Whether something has come for which the enrollment waits, so that its step is asked again before its time. */
export function hasCome({ waiting_for: waiting }: Enrollment, events: readonly JournalRow[]): boolean {
  switch (waiting?.kind) {
    case 'message':
      return events.some(({ subject_id }) => subject_id === waiting.refs?.['message_id'])
    default:
      return false
  }
}
