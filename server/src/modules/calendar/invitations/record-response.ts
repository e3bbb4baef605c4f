import type { Tx } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import { findAppointment } from '../appointment-queries.ts'
import { saveResponse } from './invitation-queries.ts'

/** Records what an invited person responded. Ignores a response to another calendar's event, and of others. */
export async function recordResponse(
  tx: Tx,
  data: { contact_id: string | null; address: string; appointment_id: string; response: string },
): Promise<void> {
  const { contact_id, address, appointment_id: appointmentId, response } = data
  if (!isId(appointmentId) || (await findAppointment(tx, appointmentId)) === undefined) return
  const persons = [address.toLowerCase(), ...(contact_id === null ? [] : [contact_id])]
  await saveResponse(tx, { appointmentId, persons, response, at: tx.clock.now() })
}
