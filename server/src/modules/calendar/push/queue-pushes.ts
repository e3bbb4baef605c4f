import type { Tx } from '#kernel/context.ts'
import { enqueueJob } from '#kernel/enqueue.ts'
import type { AppointmentRow } from '../appointment.ts'
import { findWithCalendar } from './connection-queries.ts'
import { listUnfinished, listUpcoming, markAllPending, markPending } from './push-queries.ts'

export const pushJobName = 'push-appointment'

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

/** Queues one push. Does nothing if the same push is already waiting. */
export const queuePush = (tx: Tx, appointmentId: string, memberId: string, runAt?: Date): void =>
  enqueueJob(
    tx,
    tx.workspaceId,
    pushJobName,
    { appointment_id: appointmentId, member_id: memberId },
    { key: `${appointmentId} ${memberId}`, ...(runAt && { runAt }) },
  )

/** The maximum number of upcoming appointments that a newly connected calendar receives. */
const maxUpcoming = 500

/** Queues a connected member's upcoming appointments and unfinished pushes. */
export async function queueUpcoming(tx: Tx, memberId: string): Promise<void> {
  const now = tx.clock.now()
  const ids = new Set([
    ...(await listUpcoming(tx, memberId, now, maxUpcoming)),
    ...(await listUnfinished(tx, memberId, now)),
  ])
  markAllPending(tx, [...ids], memberId, now)
  for (const id of ids) queuePush(tx, id, memberId)
}
