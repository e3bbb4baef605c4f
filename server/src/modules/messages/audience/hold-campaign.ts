import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { holdQueued, listHeldBack, releaseQueued } from '../outbox/queue-queries.ts'
import { listUnsentOf } from './queries.ts'

/** Holds the waiting messages of a campaign until `releaseMessagesOf`. */
export async function holdMessagesOf(tx: Tx, campaignId: string): Promise<void> {
  const unsent = await listUnsentOf(tx, campaignId, null)
  if (unsent.length > 0) holdQueued(tx, unsent)
}

/** Releases the held messages of a campaign: the first at `from`, then one every `everyMs`. Returns how many it released. */
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
