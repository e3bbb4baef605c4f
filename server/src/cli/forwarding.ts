import type { Ctx } from '#kernel/context.ts'
import type { Egress, Exchange } from '#kernel/egress/egress.ts'
import type { JournalRow } from '#kernel/events/journal.ts'
import { payloadText } from '#kernel/events/payload.ts'
import { newId } from '#kernel/ids.ts'
import { openEgress } from '../egress-kinds.ts'
import { deliveryHeaders } from '../modules/deliveries/public.ts'

/** The result of posting one event. */
export interface Forwarded extends Pick<Exchange, 'status' | 'ok' | 'failure' | 'duration_ms'> {
  delivery_id: string
}

export const openForwarding = (): Egress => openEgress('forwarding')

/** Posts an event once, with the same body and headers as a delivery. Never rejects. */
export function forward(
  { workspaceId, clock }: Ctx,
  egress: Egress,
  { url, secret }: { url: string; secret: string },
  row: JournalRow,
): Promise<Forwarded> {
  const at = clock.now()
  const id = newId(at)
  const body = payloadText(workspaceId, row)
  const headers = deliveryHeaders({ id, event: row.name, eventId: row.id, body }, [secret], at)
  const { promise, resolve } = Promise.withResolvers<Forwarded>()
  egress.post({ url, headers, body }, ({ status, ok, failure, duration_ms }) =>
    resolve({ delivery_id: id, status, ok, failure: inOwnWords(failure), duration_ms }),
  )
  return promise
}

/** No server is stopping here: the user pressed Ctrl-C. */
const inOwnWords = (failure: string | null) => (failure?.startsWith('interrupted') ? 'interrupted' : failure)
