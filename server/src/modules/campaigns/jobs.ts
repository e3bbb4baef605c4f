import { Type } from 'typebox'
import { job } from '#kernel/jobs/job.ts'
import { nullable } from '#kernel/schemas.ts'
import { summarizeMore } from './summarize.ts'

/** After this long a job leaves the rest to another, so that none occupies a worker indefinitely. */
const turnMs = 20_000

/** Continues the summary of a large audience. The position is stored together with the counts. */
export const summarizeCampaignJob = job('summarize-campaign', {
  payload: Type.Object({
    campaign_id: Type.String(),
    at: Type.String(),
    summary_of: Type.String(),
    reach: nullable(Type.Array(Type.String())),
  }),
  async handle(ctx, payload) {
    const { campaign_id, at, summary_of, reach } = payload
    const began = ctx.clock.elapsed()
    while (ctx.clock.elapsed() - began < turnMs)
      if (await summarizeMore(ctx, campaign_id, { at, summary_of }, reach ?? 'all')) return
    await ctx.transaction(async (tx) => tx.enqueue(summarizeCampaignJob, payload))
  },
})
