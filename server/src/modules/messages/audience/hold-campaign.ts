import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { holdQueued, listHeldBack, releaseQueued } from '../outbox/queue-queries.ts'
import { listUnsentOf } from './queries.ts'

/** Keeps what of a campaign waits to be sent from being begun, until it is let go. */
export async function holdMessagesOf(tx: Tx, campaignId: string): Promise<void> {
  const unsent = await listUnsentOf(tx, campaignId, null)
  if (unsent.length > 0) holdQueued(tx, unsent)
}

/** Lets what of a campaign was held go on, one message after the other. Returns how many there were. */
export async function releaseMessagesOf(
  tx: Tx,
  campaignId: string,
  from: Date,
  everyMs: number,
): Promise<number> {
  const held = await listHeldBack(tx, await listUnsentOf(tx, campaignId, null))
  if (held.length > 0)
    releaseQueued(
      tx,
      held.map((id, place) => ({ id, at: later(from, place * everyMs) })),
    )
  return held.length
}
