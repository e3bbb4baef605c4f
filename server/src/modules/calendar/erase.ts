import type { Tx } from '#kernel/context.ts'
import { addToTimelines } from '#kernel/events/journal.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { listContactPoints } from '../contacts/public.ts'
import { erasedAppointment } from './appointments/appointment.ts'
import * as appointmentEvents from './appointments/events.ts'
import { lockAppointmentsOf, saveAppointment } from './appointments/queries.ts'
import { deleteInvitations } from './invitations/invitation-queries.ts'
import { queuePushes } from './push/queue-pushes.ts'
import * as taskEvents from './tasks/events.ts'
import { eraseTasksOf } from './tasks/queries.ts'
import { erasedTask } from './tasks/task.ts'

const namesOf = (events: Readonly<Record<string, { name: string; audit: boolean }>>) =>
  Object.values(events).flatMap(({ name, audit }) => (audit ? [] : [name]))

/**
 * Removes the personal data of a contact from appointments, also where only an address of theirs is among the attendees, and
 * from tasks. Times, appointmentOutcomes and ids stay.
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
    // What was pushed says who the contact was.
    await queuePushes(tx, { ...row, ...changed })
  }
  deleteInvitations(tx, [contactId, ...addresses])
  const taskIds = await eraseTasksOf(tx, contactId, { ...erasedTask, updated_at: now.toISOString() })
  const ids = appointments.map(({ id }) => id)
  // Also those from before the contact joined, and of which it was an address alone: the timeline is scrubbed afterwards.
  addToTimelines(tx, { subject: 'appointment', ids, names: namesOf(appointmentEvents) }, [contactId])
  addToTimelines(tx, { subject: 'task', ids: taskIds, names: namesOf(taskEvents) }, [contactId])
  await scrubReplies(tx, [...ids, ...taskIds])
}
