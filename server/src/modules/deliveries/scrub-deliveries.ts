import type { Tx } from '#kernel/context.ts'
import { timelineEvents } from '#kernel/events/journal.ts'
import { scrubPayloads, scrubResponses } from './queries.ts'

/**
 * Removes personal data from the payloads of everything on a timeline, and the receivers' responses, which may repeat it.
 * An attempt in progress loses its claim: its response is not recorded, and the delivery is sent again as it is now.
 */
export async function scrubDeliveries(tx: Tx, timelineId: string): Promise<void> {
  for await (const events of timelineEvents(tx, timelineId)) {
    await scrubPayloads(tx, events)
    await scrubResponses(tx, events)
  }
}

/** Removes the receivers' responses only: those of attempts that ran during an erasure. */
export async function scrubLaterResponses(tx: Tx, timelineId: string): Promise<void> {
  for await (const events of timelineEvents(tx, timelineId)) await scrubResponses(tx, events)
}
