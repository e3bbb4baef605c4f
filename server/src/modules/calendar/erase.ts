import type { Tx } from '#kernel/context.ts'
import { addToTimelines } from '#kernel/events/journal.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { listContactPoints } from '../contacts/public.ts'
import { lockAppointmentsOf, saveAppointment } from './appointment-queries.ts'
import { erasedAppointment } from './appointment.ts'
import * as appointmentEvents from './appointments/events.ts'
import { deleteInvitations } from './invitations/invitation-queries.ts'
import { queuePushes } from './push/queue-pushes.ts'
import * as taskEvents from './tasks/events.ts'
import { eraseTasksOf } from './tasks/queries.ts'
import { erasedTask } from './tasks/task.ts'

const namesOf = (events: Readonly<Record<string, { name: string; audit: boolean }>>) =>
  Object.values(events).flatMap(({ name, audit }) => (audit ? [] : [name]))

/**
 * Removes a contact's personal data from tasks and appointments, including appointments that only have the contact's
 * email address among the attendees. Times, outcomes, and IDs remain.
 */
export async function eraseFromCalendar(tx: Tx, contactId: string): Promise<void> {
  const points = await listContactPoints(tx, { contactIds: [contactId], points: [], leaving: contactId })
  const addresses: readonly string[] = points.flatMap(({ type, value, elsewhere }) =>
    type === 'email' && !elsewhere ? [value] : [],
  )
  const appointments = await lockAppointmentsOf(tx, [contactId, ...addresses])
  const now = tx.clock.now()
  for (const row of appointments) {
    const changed = {
      ...erasedAppointment(row),
      sequence: row.sequence + 1,
      updated_at: timeAfter(row.updated_at, now),
    }
    saveAppointment(tx, { ...row, ...changed }, changed)
    // The pushed calendar event still names the contact.
    await queuePushes(tx, { ...row, ...changed })
  }
  deleteInvitations(tx, [contactId, ...addresses])
  const taskIds = await eraseTasksOf(tx, contactId, { ...erasedTask, updated_at: now.toISOString() })
  const ids = appointments.map(({ id }) => id)
  // Includes events from before the contact was added and appointments that only had the contact's address, because the
  // timeline is scrubbed afterwards.
  addToTimelines(tx, { subject: 'appointment', ids, names: namesOf(appointmentEvents) }, [contactId])
  addToTimelines(tx, { subject: 'task', ids: taskIds, names: namesOf(taskEvents) }, [contactId])
  await scrubReplies(tx, [...ids, ...taskIds])
}
