import type { Tx } from '#kernel/context.ts'
import { isId } from '#kernel/ids.ts'
import { findMessage } from '../../messages/public.ts'
import { findAppointment } from '../appointment-queries.ts'
import { saveResponse } from './invitation-queries.ts'

/** Records what an invited person responded. Ignores a response to the event of another calendar, and of anyone else. */
export async function recordResponse(
  tx: Tx,
  data: { id: string; contact_id: string | null; appointment_id: string; response: string },
): Promise<void> {
  const { id, contact_id, appointment_id: appointmentId, response } = data
  if (!isId(appointmentId) || (await findAppointment(tx, appointmentId)) === undefined) return
  const author = (await findMessage(tx, id))?.from?.toLowerCase()
  const persons = [author, contact_id].filter((one) => typeof one === 'string')
  await saveResponse(tx, { appointmentId, persons, response, at: tx.clock.now() })
}
