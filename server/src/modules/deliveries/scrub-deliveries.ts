import type { Tx } from '#kernel/context.ts'
import { timelineEvents } from '#kernel/events/journal.ts'
import { scrubPayloads, scrubResponses } from './queries.ts'

/**
 * Removes the personal data from the payloads of all events on a timeline, and the receivers' responses, which may
 * repeat it. An attempt in progress loses its claim: its response is not recorded, and the delivery is sent again with
 * the scrubbed payload.
 */
export async function scrubDeliveries(tx: Tx, timelineId: string): Promise<void> {
  for await (const events of timelineEvents(tx, timelineId)) {
    await scrubPayloads(tx, events)
    await scrubResponses(tx, events)
  }
}

/** Removes only the receivers' responses, for attempts that ran during an erasure. */
export async function scrubLaterResponses(tx: Tx, timelineId: string): Promise<void> {
  for await (const events of timelineEvents(tx, timelineId)) await scrubResponses(tx, events)
}
