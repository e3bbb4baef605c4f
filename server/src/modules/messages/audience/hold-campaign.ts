import { later } from '#kernel/clock.ts'
import type { Tx } from '#kernel/context.ts'
import { holdQueued, listHeldBack, releaseQueued, resumeRetries } from '../queue/queries.ts'
import { listUnsentOf } from './queries.ts'

/** Holds the messages of a campaign that are not sent yet until `releaseMessagesOf`. An attempt in flight goes on. */
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
  const unsent = await listUnsentOf(tx, campaignId, null)
  if (unsent.length > 0) resumeRetries(tx, unsent)
  const held = await listHeldBack(tx, unsent)
  if (held.length > 0)
    releaseQueued(
      tx,
      held.map((id, place) => ({ id, at: later(from, place * everyMs) })),
    )
  return held.length
}
