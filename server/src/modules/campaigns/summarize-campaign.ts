import type { Ctx } from '#kernel/context.ts'
import { orNotFound } from '#kernel/errors.ts'
import type { Campaign } from './campaign.ts'
import { CampaignStatusConflict } from './errors.ts'
import { CampaignSummarized } from './events.ts'
import { summarizeCampaignJob } from './jobs.ts'
import { lockCampaign, saveCampaign } from './queries.ts'
import { summarizeNext } from './summarize.ts'
import { summaryHash } from './summary-hash.ts'

const nothing = { scanned: 0, recipients: 0, eligible: 0, deferred: 0, blocked: {}, left_out: {} }

/**
 * Asks the gates about the whole audience at the planned times. A small audience is done at once, a large one by a job, as `status` says.
 * Throws 409 `campaign_status` if the campaign has started.
 */
export const summarizeCampaign = (ctx: Ctx, id: string): Promise<Campaign> =>
  ctx.transaction(async (tx) => {
    const before = orNotFound(await lockCampaign(tx, id))
    if (before.status !== 'draft' && before.status !== 'scheduled')
      throw CampaignStatusConflict(before.status, 'summarized')
    const at = tx.clock.now().toISOString()
    const summary_of = summaryHash(before, ctx.reach)
    const begun = {
      summary_of,
      summary_to: null,
      compliance_summary: { status: 'running' as const, at, ...nothing },
    }
    saveCampaign(tx, id, begun)
    await tx.emit(CampaignSummarized, before)
    const compliance_summary = await summarizeNext(ctx, tx, { ...before, ...begun }, ctx.reach)
    const reach = ctx.reach === 'all' ? null : [...ctx.reach]
    if (compliance_summary.status === 'running')
      tx.enqueue(summarizeCampaignJob, { campaign_id: id, at, summary_of, reach })
    return { ...before, ...begun, compliance_summary }
  })
