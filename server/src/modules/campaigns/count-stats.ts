import type { Db } from '#kernel/db/handles.ts'
import { countBackfills } from '../automations/public.ts'
import { countCampaignBlocks, countCampaignMessages, countCampaignResponses } from '../messages/public.ts'
import { type Campaign, type CampaignStats, noStats } from './campaign.ts'

/** How each status of a message counts. */
const counted = {
  scheduled: ['queued'],
  queued: ['queued'],
  sending: ['queued'],
  pending_approval: ['queued'],
  sent: ['sent'],
  unknown: ['sent'],
  delivered: ['sent', 'delivered'],
  read: ['sent', 'delivered'],
  failed: ['failed'],
  undelivered: ['failed'],
  cancelled: ['cancelled'],
  blocked: [],
  received: [],
} as const

/** Counts the records of these campaigns, in few statements however many they are. */
export async function countStats(
  db: Db,
  campaigns: readonly Pick<Campaign, 'id' | 'status'>[],
): Promise<(id: string) => CampaignStats> {
  const ids = campaigns.flatMap(({ id, status }) => (status === 'draft' ? [] : [id]))
  if (ids.length === 0) return () => noStats
  const [contactsOf, messages, blocks, responses] = await Promise.all([
    countBackfills(db, ids),
    countCampaignMessages(db, ids),
    countCampaignBlocks(db, ids),
    countCampaignResponses(db, ids),
  ])
  return (id) => {
    const of = <R extends { campaign_id: string }>(rows: readonly R[]) =>
      rows.filter(({ campaign_id }) => campaign_id === id)
    const { waiting, entered, left_out: leftOut } = contactsOf(id)
    const { cancelled: never = 0, ...left_out } = leftOut
    const stats = { ...noStats, waiting, left_out, recipients: waiting + entered + never, cancelled: never }
    for (const { status, count } of of(messages)) for (const name of counted[status]) stats[name] += count
    stats.blocked = Object.fromEntries(of(blocks).map(({ reason, count }) => [reason, count]))
    const [{ replied, opted_out } = noStats] = of(responses)
    const written = of(messages).reduce((sum, { count }) => sum + count, 0)
    // Who has entered, and whose message the engine is about to write.
    return { ...stats, replied, opted_out, queued: stats.queued + Math.max(0, entered - written) }
  }
}
