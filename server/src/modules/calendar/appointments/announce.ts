import type { Tx } from '#kernel/context.ts'
import type { AppointmentRow } from '../appointment.ts'
import { sendInvitationsJob } from '../jobs.ts'
import { queuePushes } from '../push/queue-pushes.ts'

/** Queues the invitations and calendar pushes that follow from a new or changed appointment. */
export async function announce(tx: Tx, row: AppointmentRow): Promise<void> {
  if (row.invite) tx.enqueue(sendInvitationsJob, { appointment_id: row.id })
  await queuePushes(tx, row)
}
