import type { Tx } from '#kernel/context.ts'
import { defineFollowUp } from '#kernel/jobs/follow-up.ts'
import type { AppointmentRow } from '../appointment.ts'
import { findWithCalendar } from './connection-queries.ts'
import { listDuePushes, listUnfinished, listUpcoming, markAllPending, markPending } from './push-queries.ts'

/** Pushes, by appointment and member. They are due if their job has not begun, or has not ended, in time. */
export const pushes = defineFollowUp('push-appointment', { listDue: listDuePushes })

/** The members whose calendars contain an appointment: its host and the member who booked it. */
export const membersOf = ({
  host_id,
  creator_id,
}: Pick<AppointmentRow, 'host_id' | 'creator_id'>): string[] => [
  ...new Set([host_id, creator_id].filter((id) => id !== null)),
]

/** Queues the calendar pushes after a booking or a change. */
export async function queuePushes(tx: Tx, row: AppointmentRow): Promise<void> {
  const members = await findWithCalendar(tx, tx.workspaceId, membersOf(row))
  const moved = { id: row.id, moves: row.reschedule_count }
  for (const memberId of await markPending(tx, moved, members, tx.clock.now()))
    queuePush(tx, row.id, memberId)
}

export const queuePush = (tx: Tx, appointmentId: string, memberId: string): void =>
  pushes.queue(tx, `${appointmentId} ${memberId}`)

/** The maximum number of upcoming appointments that a newly connected calendar receives. */
const maxUpcoming = 500

/** Queues a connected member's upcoming appointments and unfinished pushes. */
export async function queueUpcoming(tx: Tx, memberId: string): Promise<void> {
  const now = tx.clock.now()
  const ids = new Set([
    ...(await listUpcoming(tx, memberId, now, maxUpcoming)),
    ...(await listUnfinished(tx, memberId, tx.clock)),
  ])
  markAllPending(tx, [...ids], memberId, now)
  for (const id of ids) queuePush(tx, id, memberId)
}
