import type { Db } from '#kernel/db/handles.ts'
import { countCampaignResponses } from '../messages/public.ts'
import { type Campaign, type CampaignStats, noStats } from './campaign.ts'
import { countRecipients } from './recipient-queries.ts'

/** Counts the records of these campaigns, in few statements however many campaigns there are. */
export async function countStats(
  db: Db,
  campaigns: readonly Pick<Campaign, 'id' | 'status'>[],
): Promise<(id: string) => CampaignStats> {
  const ids = campaigns.flatMap(({ id, status }) => (status === 'draft' ? [] : [id]))
  if (ids.length === 0) return () => noStats
  const [recipients, responses] = await Promise.all([
    countRecipients(db, ids),
    countCampaignResponses(db, ids),
  ])
  return (id) => {
    const of = <R extends { campaign_id: string }>(rows: readonly R[]) =>
      rows.filter(({ campaign_id }) => campaign_id === id)
    const [{ replied, opted_out } = noStats] = of(responses)
    const stats: CampaignStats = { ...noStats, blocked: {}, left_out: {}, replied, opted_out }
    for (const { status, reason, count } of of(recipients)) {
      if (status === 'blocked' || status === 'left_out') stats[status][reason ?? status] = count
      else stats[status] += count
      if (status === 'delivered') stats.sent += count
      if (status !== 'left_out') stats.recipients += count
    }
    return stats
  }
}
