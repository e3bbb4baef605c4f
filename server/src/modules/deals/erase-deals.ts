import type { Tx } from '#kernel/context.ts'
import { addToTimelines } from '#kernel/events/journal.ts'
import { scrubReplies } from '#kernel/http/idempotency.ts'
import { timeAfter } from '#kernel/records/record.ts'
import { namesOnTimelines } from './announce.ts'
import { erasedDeal } from './deal.ts'
import { lockDealsOf, saveDeal } from './queries.ts'

/**
 * Removes names, texts, and the street from the deals of an erased contact, including deleted deals and deals with
 * other contacts.
 */
export async function eraseDeals(tx: Tx, contactId: string): Promise<void> {
  const deals = await lockDealsOf(tx, contactId)
  for (const deal of deals) {
    const changed = { ...erasedDeal(deal), updated_at: timeAfter(deal.updated_at, tx.clock.now()) }
    saveDeal(tx, { ...deal, ...changed }, changed)
  }
  if (deals.length === 0) return
  const ids = deals.map(({ id }) => id)
  // Includes deals in which the contact was only a participant, because the timeline is scrubbed afterwards.
  addToTimelines(tx, { subject: 'deal', ids, names: namesOnTimelines }, [contactId])
  await scrubReplies(tx, ids)
}
